import type { Container, EnvVar, Pod } from '../kinds/objects/pod.ts';
import type { ConfigMap, Secret } from '../kinds/objects/storage.ts';
import { configMaps, secrets } from '../kinds/resource-types.ts';
import type { World } from '../world.ts';

/** A container's variables, or what keeps them from being known, in the kubelet's words. */
export type Environment = { readonly env: Readonly<Record<string, string>> } | { readonly missing: string };

const decode = (value: string): string => Buffer.from(value, 'base64').toString('utf8');

export function environmentOf(world: World, pod: Pod, container: Container): Environment {
  const namespace = pod.metadata.namespace ?? '';
  const env: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOSTNAME: pod.spec.hostname ?? pod.metadata.name ?? '',
    KUBERNETES_SERVICE_HOST: '10.96.0.1',
    KUBERNETES_SERVICE_PORT: '443',
  };
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    if (configMapRef) {
      const found = world.get<ConfigMap>(configMaps, namespace, configMapRef.name ?? '');
      if (!found && !configMapRef.optional) return { missing: `configmap "${configMapRef.name}" not found` };
      for (const [key, value] of Object.entries(found?.data ?? {})) env[prefix + key] = value;
    }
    if (secretRef) {
      const found = world.get<Secret>(secrets, namespace, secretRef.name ?? '');
      if (!found && !secretRef.optional) return { missing: `secret "${secretRef.name}" not found` };
      for (const [key, value] of Object.entries(found?.data ?? {})) env[prefix + key] = decode(value);
    }
  }
  for (const variable of container.env ?? []) {
    const found = valueFor(world, pod, container, variable, env);
    if (typeof found !== 'string' && found) return found;
    if (found !== undefined) env[variable.name] = found;
  }
  return { env: { ...env, HOME: env.HOME ?? '/root' } };
}

function valueFor(
  world: World,
  pod: Pod,
  container: Container,
  { value = '', valueFrom: source }: EnvVar,
  env: Readonly<Record<string, string>>,
): string | { readonly missing: string } | undefined {
  if (!source) return substitute(value, env);
  const namespace = pod.metadata.namespace ?? '';
  const { fieldRef, resourceFieldRef, configMapKeyRef: config, secretKeyRef: secret } = source;
  if (fieldRef) return fieldOf(pod, fieldRef.fieldPath);
  if (resourceFieldRef) {
    const [list, name] = resourceFieldRef.resource.split('.', 2);
    const owner = pod.spec.containers.find((one) => one.name === resourceFieldRef.containerName) ?? container;
    return owner.resources?.[list as 'limits' | 'requests']?.[name ?? ''] ?? '0';
  }
  if (config) {
    const found = world.get<ConfigMap>(configMaps, namespace, config.name ?? '');
    if (found?.data?.[config.key] !== undefined) return found.data[config.key];
    if (config.optional) return undefined;
    if (!found) return { missing: `configmap "${config.name}" not found` };
    return { missing: `couldn't find key ${config.key} in ConfigMap ${namespace}/${config.name}` };
  }
  if (secret) {
    const found = world.get<Secret>(secrets, namespace, secret.name ?? '');
    const encoded = found?.data?.[secret.key];
    if (encoded !== undefined) return decode(encoded);
    if (secret.optional) return undefined;
    if (!found) return { missing: `secret "${secret.name}" not found` };
    return { missing: `couldn't find key ${secret.key} in Secret ${namespace}/${secret.name}` };
  }
  return undefined;
}

/** Replaces `$(NAME)` where the variable is known; `$$(NAME)` stands for `$(NAME)` itself. */
export function substitute(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$(\$\(|\(([^()]*)\))/g, (whole, rest: string, name?: string) => {
    if (rest === '$(') return '$(';
    return name !== undefined && Object.hasOwn(env, name) ? (env[name] ?? '') : whole;
  });
}

/** A field of the pod as the downward API gives it. */
export function fieldOf(pod: Pod, path: string): string {
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed) return pod.metadata[keyed[1] as 'labels' | 'annotations']?.[keyed[2] ?? ''] ?? '';
  switch (path) {
    case 'metadata.name':
      return pod.metadata.name ?? '';
    case 'metadata.namespace':
      return pod.metadata.namespace ?? '';
    case 'metadata.uid':
      return pod.metadata.uid ?? '';
    case 'metadata.labels':
    case 'metadata.annotations': {
      const entries = Object.entries(pod.metadata[path.slice(9) as 'labels' | 'annotations'] ?? {});
      return entries.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join('\n');
    }
    case 'spec.nodeName':
      return pod.spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? '';
    case 'status.podIP':
    case 'status.podIPs':
      return pod.status?.podIP ?? '';
    case 'status.hostIP':
    case 'status.hostIPs':
      return pod.status?.hostIP ?? '';
    default:
      return '';
  }
}
