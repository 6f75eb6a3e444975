import { posix } from 'node:path';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { at } from '../../graph/workload.ts';
import { annotations } from '../../keys.ts';
import { type Fields, isFields } from '../../render/replaced-at.ts';
import type { Artifact } from './pipe-work.ts';

/** The container in which files wait until they are fetched. */
export const waiter = 'waiter';

/** Where the init container leaves its files. */
interface Shared {
  readonly init: Fields;
  readonly mount: Fields & { readonly name: string; readonly mountPath: string };
}

/**
 * The pod of a Pipe task: what its template says, and a container that waits beside the files. It sees the volume as the
 * init container does and has its rights, so it can read whatever that could write.
 */
export function pipePod(
  template: AnyObject,
  name: string,
  artifacts: readonly Artifact[],
  waiterImage: string,
): { readonly pod: KubeObject } | { readonly problem: string } {
  const shared = sharedOf(template);
  if ('problem' in shared) return shared;
  const { init, mount } = shared;
  const problem = artifacts.map((artifact) => fileProblem(artifact, mount.mountPath)).find((one) => one !== undefined);
  if (problem !== undefined) return { problem };
  const { subPath } = mount;
  const waiting = {
    name: waiter,
    image: waiterImage,
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/sh', '-c'],
    args: ['sleep infinity'],
    ...(init.securityContext !== undefined && { securityContext: init.securityContext }),
    volumeMounts: [{ name: mount.name, mountPath: mount.mountPath, ...(typeof subPath === 'string' && { subPath }) }],
  };
  const { generateName: _generated, annotations: given, ...metadata } = template.metadata;
  const pod = {
    ...template,
    metadata: { ...metadata, name, annotations: { ...(isFields(given) && given), [annotations.pipePod]: 'true' } },
    spec: { ...(isFields(template.spec) && template.spec), restartPolicy: 'OnFailure', containers: [waiting] },
  };
  return { pod };
}

function sharedOf(template: AnyObject): Shared | { readonly problem: string } {
  if (list(template, 'containers').length > 0) {
    return { problem: 'pipe pod should not have containers. pipe artifacts are generated in the init container' };
  }
  const [init, ...more] = list(template, 'initContainers');
  if (!isFields(init) || more.length > 0) {
    return { problem: 'pipe pod should define one init container that generated artifacts defined' };
  }
  if (init.name === waiter)
    return { problem: `pipe pod has an init container ${waiter}: that name is taken, rename it` };
  const policy = at(template, ['spec', 'restartPolicy']) ?? '';
  if (policy !== '' && policy !== 'OnFailure') return { problem: 'pipe pod RestartPolicy should be OnFailure' };
  const [volume, ...others] = list(template, 'volumes').filter((one) => isFields(one) && isFields(one.emptyDir));
  if (!isFields(volume) || others.length > 0) {
    return {
      problem: 'pipe pod should define one emptyDir shared volume where the artifacts are temporary stored',
    };
  }
  const mounts: readonly unknown[] = Array.isArray(init.volumeMounts) ? init.volumeMounts : [];
  const mount = mounts.find((one) => isFields(one) && one.name === volume.name);
  if (!isMount(mount)) return { problem: `pipe pod should save generated artifacts in ${String(volume.name)}` };
  return { init, mount };
}

/** What is in the file, or outside the volume, is nobody's business; and what has such a name cannot be a key. */
function fileProblem({ path, as }: Artifact, mountPath: string): string | undefined {
  const below = posix.relative(mountPath, path);
  if (!path.startsWith('/') || below === '' || below === '..' || below.startsWith('../')) {
    return `pipe file ${path} should be a child of ${mountPath} mount path`;
  }
  const name = posix.basename(path);
  if (as === 'file' && (!/^[-._a-zA-Z0-9]{1,253}$/.test(name) || name.startsWith('..'))) {
    return `pipe file name ${name} should only contain alphanumeric characters, '.', '_' and '-'`;
  }
  return undefined;
}

function list(template: AnyObject, field: string): readonly unknown[] {
  const found = at(template, ['spec', field]);
  return Array.isArray(found) ? found : [];
}

function isMount(value: unknown): value is Shared['mount'] {
  return isFields(value) && typeof value.name === 'string' && typeof value.mountPath === 'string';
}
