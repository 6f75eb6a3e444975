import type { ConfigMapSource, Container, DownwardSource, Pod, SecretSource, Volume } from '../kinds/objects/pod.ts';
import type { ConfigMap, Secret } from '../kinds/objects/storage.ts';
import { configMaps, secrets } from '../kinds/resource-types.ts';
import type { Files } from '../programs/program.ts';
import type { World } from '../world.ts';
import { fieldOf } from './environment.ts';
import type { Scratch, Tree } from './scratch.ts';

const encoder = new TextEncoder();

/** What keeps a pod's volumes from being mounted, in the kubelet's words; undefined when nothing does. */
export function missingMount(world: World, pod: Pod): { readonly volume: string; readonly why: string } | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const why = missingIn(world, pod, volume);
    if (why) return { volume: volume.name, why };
  }
  return undefined;
}

function missingIn(world: World, pod: Pod, volume: Volume): string | undefined {
  const namespace = pod.metadata.namespace ?? '';
  const sources = [volume, ...(volume.projected?.sources ?? [])];
  for (const { configMap, secret } of sources) {
    if (configMap && !configMap.optional) {
      const found = world.get<ConfigMap>(configMaps, namespace, configMap.name ?? '');
      if (!found) return `configmap "${configMap.name}" not found`;
      const lacking = configMap.items?.find(({ key }) => found.data?.[key] === undefined && !found.binaryData?.[key]);
      if (lacking) return `configmap references non-existent config key: ${lacking.key}`;
    }
    if (secret && !secret.optional) {
      const name = secret.secretName ?? secret.name ?? '';
      const found = world.get<Secret>(secrets, namespace, name);
      if (!found) return `secret "${name}" not found`;
      const lacking = secret.items?.find(({ key }) => found.data?.[key] === undefined);
      if (lacking) return `references non-existent secret key: ${lacking.key}`;
    }
  }
  return undefined;
}

/** Somewhere in the files of a container. */
interface Spot {
  readonly tree: Tree;
  /** The path within the tree. */
  readonly rest: string;
  readonly writable: boolean;
}

/** The files that a container sees. Read at the moment of the question, as a kubelet keeps mounted objects fresh. */
export function filesOf(world: World, pod: Pod, container: Container, token: string, scratch: Scratch): Files {
  const mounts = (container.volumeMounts ?? []).toSorted((a, b) => b.mountPath.length - a.mountPath.length);

  function mounted(path: string): Spot | undefined {
    const wanted = normal(path);
    const mount = mounts.find(
      ({ mountPath }) => wanted === normal(mountPath) || wanted.startsWith(`${normal(mountPath)}/`),
    );
    const volume = pod.spec.volumes?.find((one) => one.name === mount?.name);
    if (!mount || !volume) return undefined;
    const below = wanted.slice(normal(mount.mountPath).length + 1);
    const rest = mount.subPath ? [mount.subPath, below].filter(Boolean).join('/') : below;
    if (isGiven(volume)) return { tree: treeOf(world, pod, volume, token), rest, writable: false };
    return { tree: scratch.volume(volume.name), rest, writable: !mount.readOnly };
  }

  function own(path: string): Spot {
    return { tree: scratch.layer(container.name), rest: normal(path).slice(1), writable: true };
  }

  return {
    read(path) {
      const { tree, rest } = mounted(path) ?? own(path);
      const found = tree.get(rest);
      if (!found && normal(path) === '/etc/hostname') return encoder.encode(`${pod.metadata.name}\n`);
      return found;
    },
    list(path) {
      const found = mounted(path);
      const { tree, rest } = found ?? own(path);
      const folders = found ? [] : mounts.map(({ mountPath }) => normal(mountPath).slice(1));
      const names = tree.has(rest) ? [] : namesIn([...folders, ...tree.keys()], rest);
      return names.length > 0 || rest === '' ? names : undefined;
    },
    write(path, content) {
      const { tree, rest, writable } = mounted(path) ?? own(path);
      if (!writable) return 'Read-only file system';
      if (rest === '' || namesIn([...tree.keys()], rest).length > 0) return 'Is a directory';
      if (!scratch.hasRoom(content.length - (tree.get(rest)?.length ?? 0))) return 'No space left on device';
      tree.set(rest, content);
      return undefined;
    },
  };
}

/** Whether a volume has its content from Kubernetes. All others begin empty and end with their pod. */
function isGiven({ configMap, secret, projected, downwardAPI }: Volume): boolean {
  return Boolean(configMap ?? secret ?? projected ?? downwardAPI);
}

const normal = (path: string): string =>
  `/${path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')}`;

function namesIn(paths: readonly string[], folder: string): readonly string[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  return [...new Set(inside.map((path) => path.split('/')[0] ?? ''))].filter(Boolean).sort();
}

function treeOf(world: World, pod: Pod, volume: Volume, token: string): Tree {
  const tree: Tree = new Map();
  for (const source of [volume, ...(volume.projected?.sources ?? [])]) {
    addConfigMap(tree, world, pod, source.configMap);
    addSecret(tree, world, pod, source.secret);
    addDownward(tree, pod, source.downwardAPI);
    const file = 'serviceAccountToken' in source ? source.serviceAccountToken?.path : undefined;
    if (file) tree.set(file, encoder.encode(token));
  }
  return tree;
}

function addConfigMap(tree: Tree, world: World, pod: Pod, source: ConfigMapSource | undefined): void {
  const found = source && world.get<ConfigMap>(configMaps, pod.metadata.namespace, source.name ?? '');
  if (!found) return;
  const content = new Map<string, Uint8Array>([
    ...Object.entries(found.data ?? {}).map(([key, value]) => [key, encoder.encode(value)] as const),
    ...Object.entries(found.binaryData ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const),
  ]);
  project(tree, content, source.items);
}

function addSecret(tree: Tree, world: World, pod: Pod, source: SecretSource | undefined): void {
  const found = source && world.get<Secret>(secrets, pod.metadata.namespace, source.secretName ?? source.name ?? '');
  if (!found) return;
  const entries = Object.entries(found.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const);
  project(tree, new Map<string, Uint8Array>(entries), source.items);
}

function project(tree: Tree, content: ReadonlyMap<string, Uint8Array>, items: ConfigMapSource['items']): void {
  const chosen = items ?? [...content.keys()].map((key) => ({ key, path: key }));
  for (const { key, path } of chosen) {
    const bytes = content.get(key);
    if (bytes) tree.set(path, bytes);
  }
}

function addDownward(tree: Tree, pod: Pod, source: DownwardSource | undefined): void {
  for (const { path, fieldRef } of source?.items ?? []) {
    if (fieldRef) tree.set(path, encoder.encode(fieldOf(pod, fieldRef.fieldPath)));
  }
}
