import type { Sealed } from '../../control/sealed.ts';
import type { KubeObject, ObjectMeta } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import type { RoleBinding, ServiceAccount } from '../observe/kube-shapes.ts';

/** A Secret whose values nobody reads on the way. */
export interface SealedSecret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, Sealed>>;
}

/** What is passed on from a namespace to those below it. */
export interface Passage {
  readonly from: string;
  readonly to: string;
}

/** A copy is passed on in its turn: the annotation that asks for it is copied as well. */
export function copiedRoleBinding(source: RoleBinding, passage: Passage): KubeObject {
  const { apiVersion, kind, subjects, roleRef } = source;
  const copy: RoleBinding = {
    apiVersion,
    kind,
    metadata: copiedMetadata(source, passage),
    ...(subjects && { subjects }),
    ...(roleRef && { roleRef }),
  };
  return copy;
}

/**
 * Of the Secrets that an account names, only those that are copied as well: the others, of tokens above all, belong to the
 * account in its own namespace.
 */
export function copiedServiceAccount(
  source: ServiceAccount,
  passage: Passage,
  registrySecrets: readonly string[],
): KubeObject {
  const { apiVersion, kind } = source;
  const secrets = source.secrets?.filter(({ name }) => name && registrySecrets.includes(name)) ?? [];
  const imagePullSecrets = source.imagePullSecrets?.filter(({ name }) => name && registrySecrets.includes(name)) ?? [];
  const copy: ServiceAccount = {
    apiVersion,
    kind,
    metadata: copiedMetadata(source, passage),
    ...(secrets.length > 0 && { secrets }),
    ...(imagePullSecrets.length > 0 && { imagePullSecrets }),
  };
  return copy;
}

export function copiedSecret(source: SealedSecret, passage: Passage): KubeObject {
  const { apiVersion, kind, type, data } = source;
  const copy: SealedSecret = {
    apiVersion,
    kind,
    metadata: copiedMetadata(source, passage),
    ...(type && { type }),
    ...(data && { data }),
  };
  return copy;
}

/** What others note on an object about how it got there is true of that object only. */
const ofTheSourceOnly = ['meta.helm.sh/', 'kapp.k14s.io/', 'kubectl.kubernetes.io/', 'cutover.dev/'];

function copiedMetadata({ metadata }: KubeObject, { from, to }: Passage): ObjectMeta {
  const annotations = passedOn(metadata.annotations);
  return {
    name: metadata.name ?? '',
    namespace: to,
    labels: { ...passedOn(metadata.labels), [labels.propagatedFrom]: from },
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
}

function passedOn(entries: Readonly<Record<string, string>> = {}): Record<string, string> {
  const isPassedOn = (key: string): boolean => !ofTheSourceOnly.some((prefix) => key.startsWith(prefix));
  return Object.fromEntries(Object.entries(entries).filter(([key]) => isPassedOn(key)));
}
