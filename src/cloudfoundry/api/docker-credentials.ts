import type { KubeObject } from '../../kube/object.ts';
import { ownedBy } from '../manifests/owned-by.ts';

/** Who may pull an image. */
export interface DockerCredentials {
  readonly image: string;
  readonly username: string;
  readonly password: string;
}

/** Where credentials of images without a host are looked for. */
const dockerHub = 'https://index.docker.io/v1/';

/** The Secret with which nodes and builders may pull the image of a package. It goes with the package. */
export function pullSecret(
  owner: KubeObject,
  credentials: DockerCredentials,
): KubeObject & Readonly<Record<string, unknown>> {
  const { username, password } = credentials;
  const { name = '', namespace = '' } = owner.metadata;
  const auth = Buffer.from(`${username}:${password}`).toString('base64');
  const config = { auths: { [registryOf(credentials.image)]: { username, password, auth } } };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace, ownerReferences: [{ ...ownedBy(owner), blockOwnerDeletion: false }] },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(JSON.stringify(config)).toString('base64') },
  };
}

/** `ghcr.io/team/app:1` → `ghcr.io`. A first part is a host when it has a dot or a port, or is this machine. */
export function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/');
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return isHost && !/^(index\.)?docker\.io$/.test(first) ? first : dockerHub;
}
