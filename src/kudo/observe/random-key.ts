import { createHash } from 'node:crypto';
import { annotations } from '../../control/annotations.ts';
import { refTo } from '../../control/decision.ts';
import { isKubeError } from '../../kube/error.ts';
import { find } from '../../kube/find.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import { keyField, keySecretName } from '../decide/random-key.ts';
import type { RandomKey } from '../decide/view.ts';
import type { Instance } from '../resources/instance.ts';
import type { InstanceSources } from './instance-view.ts';

/**
 * The key of an Instance's random template functions. Only a Secret that the Instance owns has it: one of a former Instance
 * of this name vanishes, and all that was derived from it would change; unless that Instance was deleted without what it
 * owned. What cannot be read is part of the view.
 */
export async function randomKeyOf(
  { metadata: { namespace = '', name = '', uid = '', deletionTimestamp } }: Instance,
  { client, seal, randomBytes }: Pick<InstanceSources, 'client' | 'seal' | 'randomBytes'>,
  signal: AbortSignal,
): Promise<RandomKey> {
  const secretName = keySecretName(name);
  let secret: AnyObject | undefined;
  try {
    secret = await find(client.resource<AnyObject>(kinds.secrets), { namespace, name: secretName }, { signal });
  } catch (error) {
    if (!isKubeError(error)) throw error;
    return { is: 'unreadable', message: `Secret ${secretName}: ${error.message}` };
  }
  const isOwn = secret?.metadata.ownerReferences?.some((owner) => owner.uid === uid) ?? false;
  const value = (secret?.data as Readonly<Record<string, unknown>> | undefined)?.[keyField];
  if (isOwn && typeof value === 'string') return { is: 'kept', value: seal(value) };
  // What an Instance owns may go before it. Its cleanup must not wait for the key, and see the same one at every look.
  if (deletionTimestamp !== undefined) {
    return { is: 'kept', value: seal(createHash('sha256').update(`${uid}/random`).digest('base64')) };
  }
  if (!secret) return { is: 'fresh', value: seal(Buffer.from(randomBytes(32)).toString('base64')) };
  if (isOrphan(secret)) return { is: 'orphaned', secret: refTo(secret) };
  if (!isOwn) return { is: 'foreign', message: `Secret ${secretName} is not of this Instance, and is to go first` };
  return { is: 'unreadable', message: `Secret ${secretName} has no ${keyField}: put it back, or delete the Secret` };
}

/** Whether we made it, for an Instance that it no longer belongs to, and nobody else has it. */
function isOrphan({ metadata: { annotations: said, ownerReferences = [] } }: AnyObject): boolean {
  return ownerReferences.length === 0 && said?.[annotations.id]?.endsWith('/random') === true;
}
