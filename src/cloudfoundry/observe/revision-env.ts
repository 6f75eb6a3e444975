import type { Sealed } from '../../control/sealed.ts';
import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { isOwnedBy } from '../manifests/owned-by.ts';
import { revisionSecretName } from '../names.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { revisionsOf } from '../revision.ts';

/** The environment of a revision that is being prepared. */
export type EnvRead =
  /** Its Secret is there; these are the keys in it. */
  | { readonly is: 'taken'; readonly names: readonly string[] }
  /** It has none yet; this is what the app's own Secret holds now, in base64. */
  | { readonly is: 'current'; readonly data: Readonly<Record<string, Sealed>> }
  /** The app names a Secret that is not there. */
  | { readonly is: 'absent'; readonly secret: string }
  | { readonly is: 'unreadable'; readonly secret: string; readonly message: string };

/** A Secret that must be read. */
export interface EnvToRead {
  /** Absent when the app names none: it has no environment of its own. */
  readonly name?: string;
  /** It is the one of the revision. */
  readonly taken: boolean;
}

/**
 * What must be read to prepare the revision that is wanted: its own Secret when that was made but not recorded, the app's
 * when it must be made. Nothing when all is recorded, or while the app is stopped: a revision is taken when it is first
 * started.
 */
export function envToRead(app: CfApp, secrets: readonly KubeObject[]): EnvToRead | undefined {
  const { metadata, spec, status } = app;
  if (metadata.deletionTimestamp || spec.desiredState !== 'STARTED') return undefined;
  const appRev = String(revisionsOf(app).appRev);
  const name = revisionSecretName(metadata.name ?? '', appRev);
  const made = secrets.some((secret) => secret.metadata.name === name && isOwnedBy(secret, app));
  if (!made) return { taken: false, ...(spec.envSecretName && { name: spec.envSecretName }) };
  return status?.revision?.appRev === appRev ? undefined : { taken: true, name };
}

/** Reads it. What goes wrong is part of what is known; only the end of the reconcile throws. */
export async function readEnv(
  app: CfApp,
  { name, taken }: EnvToRead,
  { client, seal }: { readonly client: Client; readonly seal: (value: string) => Sealed },
  signal: AbortSignal,
): Promise<EnvRead> {
  if (name === undefined) return { is: 'current', data: {} };
  const { namespace = '' } = app.metadata;
  try {
    const secret: AnyObject = await client.resource(kinds.secrets).get({ namespace, name }, { signal });
    const data = Object.entries((secret.data ?? {}) as Readonly<Record<string, string>>);
    if (taken) return { is: 'taken', names: data.map(([key]) => key).sort() };
    return { is: 'current', data: Object.fromEntries(data.map(([key, value]) => [key, seal(value)])) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (isKubeError(error, 'not-found')) return { is: 'absent', secret: name };
    return { is: 'unreadable', secret: name, message: (error as Error).message };
  }
}
