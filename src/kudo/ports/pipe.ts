import { PortError, type Verb } from '../../control/port.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import { waiter } from '../decide/task/pipe-pod.ts';
import type { Collection } from '../decide/task/pipe-work.ts';
import { artifact } from './artifact.ts';
import { fetchFile } from './fetch-file.ts';
import { keepArtifact } from './keep-artifact.ts';
import type { Shell } from './run-command.ts';

/** The port `pipe`: files of a pod become ConfigMaps and Secrets. What is in them is told to nobody else. */
export function pipePort(client: Client): { readonly collect: Verb } {
  return {
    async collect({ args, signal }) {
      const { pod, files } = args as unknown as Collection;
      const { namespace, name } = pod;
      await mustBe(pod, client, signal);
      const shell: Shell = { client, pod: { namespace, name }, container: waiter, signal };
      const artifacts: KubeObject[] = [];
      for (const file of files) artifacts.push(artifact(file, await fetchFile(file.path, shell)));
      for (const object of artifacts) await keepArtifact(object, client, signal);
      return { artifacts: artifacts.map(({ kind, metadata }) => `${kind} ${metadata.name}`) };
    },
  };
}

/** A command is run by name, and names are not identities. */
async function mustBe({ namespace, name, uid }: Collection['pod'], client: Client, signal: AbortSignal): Promise<void> {
  try {
    const { metadata } = await client.resource(kinds.pods).get({ namespace, name }, { signal });
    if (metadata.uid === uid) return;
  } catch (error) {
    if (isKubeError(error)) throw new PortError('unknown', `pod ${name}: ${error.message}`, { cause: error });
    throw error;
  }
  throw new PortError('unknown', `pod ${name} is not the one whose files are wanted: it was replaced`);
}
