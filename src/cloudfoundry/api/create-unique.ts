import type { KubeObject } from '../../kube/object.ts';
import type { CfError } from './cf-error.ts';
import { cfErrorOf } from './kube-trouble.ts';
import type { Caller, Platform } from './platform.ts';
import { type CfKind, createAs, deleteAs } from './read-as.ts';

/** How something is told from others of its kind. */
export interface Uniqueness<T> {
  /** All that could be in its way, read with the operator's own identity: a name is taken also by what the caller cannot see. */
  readonly others: () => Promise<readonly T[]>;
  readonly isSame: (other: T) => boolean;
  readonly error: () => CfError;
}

/**
 * Creates an object unless there is one like it. No lock is held: who sees after creating that an older one is there takes his
 * own away, so two never stay.
 *
 * Only who may create at all learns that there is one.
 */
export async function createUnique<T extends KubeObject>(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  object: T,
  label: string,
  unique: Uniqueness<T>,
): Promise<T> {
  try {
    await caller.client.resource<T>(kind.type).create(object, { dryRun: true });
  } catch (error) {
    throw cfErrorOf(error, { verb: 'write', label });
  }
  const others = await sameAs(unique);
  if (others.length > 0) throw unique.error();
  const created = await createAs(platform, caller, kind, object, label);
  const rivals = (await sameAs(unique)).filter(({ metadata }) => metadata.uid !== created.metadata.uid);
  if (!rivals.some((rival) => isOlder(rival, created))) return created;
  await deleteAs(caller, kind, created, label);
  throw unique.error();
}

async function sameAs<T extends KubeObject>({ others, isSame }: Uniqueness<T>): Promise<readonly T[]> {
  try {
    return (await others()).filter(isSame);
  } catch (error) {
    throw cfErrorOf(error, { verb: 'read', label: 'The list of names' });
  }
}

/**
 * Whether a rival was there before ours. Versions of objects only grow: one with a smaller version than ours had at its creation
 * is older, and one that nobody has touched since its creation (one writer is known of it) with a greater version is younger.
 * Within the same second nothing more can be told of one that was touched: then ours goes, for two must never stay.
 */
function isOlder({ metadata: rival }: KubeObject, { metadata: ours }: KubeObject): boolean {
  if (BigInt(rival.resourceVersion ?? 0) < BigInt(ours.resourceVersion ?? 0)) return true;
  const [theirs = '', our = ''] = [rival.creationTimestamp, ours.creationTimestamp];
  return theirs === our ? rival.managedFields?.length !== 1 : theirs < our;
}
