import type { Client } from '../../kube/client.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import type { Operator } from '../resources/operator.ts';
import { compareVersions } from './semver.ts';
import type { Session } from './session.ts';

/** The last version of KUDO whose packages are understood: there is no later one. */
const kudoVersion = '0.19.0';

/** Whether the cluster is new enough for a package. Errors: a `CommandError` that names both versions. */
export async function checkRequirements(session: Session, client: Client, { metadata, spec }: Operator): Promise<void> {
  const { kubernetesVersion = '', kudoVersion: kudo = '' } = spec;
  if ((compareVersions(kudo, kudoVersion) ?? 0) > 0) {
    session.warn(`package ${metadata.name} asks for KUDO ${kudo}; what is newer than ${kudoVersion} is not known here`);
  }
  if (kubernetesVersion === '') return;
  const { gitVersion = '' } = await client.json<{ readonly gitVersion?: string }>({ method: 'GET', path: '/version' });
  // What vendors append (`-gke.100`, `-eks-1`) is no pre-release.
  const server = /^v?\d+(\.\d+){0,2}/.exec(gitVersion)?.[0] ?? '';
  if ((compareVersions(server, kubernetesVersion) ?? 0) < 0) {
    throw new CommandError(
      `package ${metadata.name} needs Kubernetes ${kubernetesVersion} or newer, and this cluster has ${gitVersion}; choose an older version of the package`,
    );
  }
}
