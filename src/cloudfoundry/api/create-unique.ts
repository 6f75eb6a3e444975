import type { JsonObject, KubeObject } from '../../kube/object.ts';
import { nameOf } from '../../kube/resource.ts';
import { qualifiedName } from '../../kube/resource-type.ts';
import type { CfError } from './cf-error.ts';
import { cfErrorOf } from './kube-trouble.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Caller, Platform } from './platform.ts';
import { type CfKind, createAs, deleteAs, patchAs } from './read-as.ts';

/** How something is told from others of its kind. */
export interface Uniqueness<T> {
  /** The same for all that could be in each other's way: a namespace and a name. */
  readonly key: string;
  /** All that could be in its way, read with the operator's own identity: a name is taken also by what the caller cannot see. */
  readonly others: () => Promise<readonly T[]>;
  readonly isSame: (other: T) => boolean;
  readonly error: (other: T) => CfError;
}

/**
 * Creates an object unless there is one like it. Within this process one comes after the other; of two replicas, the one that
 * sees after creating that an older one is there takes its own away, so two never stay.
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
  return await alone(kind, unique, async () => {
    const [other] = await sameAs(unique);
    if (other) throw unique.error(other);
    const created = await createAs(platform, caller, kind, object, label);
    const older = (await sameAs(unique, created)).find((rival) => isOlder(rival, created));
    if (!older) return created;
    await deleteAs(caller, kind, created, label);
    throw unique.error(older);
  });
}

/** How an object gets another name, and its old one back. */
interface Renaming<T> extends Uniqueness<T> {
  readonly change: (current: T) => JsonObject | undefined;
  /** What gives an object the name that it had `before`. */
  readonly back: (before: T) => JsonObject | undefined;
}

/**
 * Changes an object so that it has a name of its own. Whoever sees after the write that another replica gave the same name to
 * something else takes his own back: both may lose, and never do two have it.
 *
 * Only who may change it learns that the name is taken.
 */
export async function renameUnique<T extends KubeObject>(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  object: T,
  label: string,
  renaming: Renaming<T>,
): Promise<T> {
  const { change, back, error } = renaming;
  await assertMayChange(caller, kind, object, label, change(object));
  return await alone(kind, renaming, async () => {
    const [other] = await sameAs(renaming, object);
    if (other) throw error(other);
    let before = object;
    const decide = (current: T): JsonObject | undefined => {
      before = current;
      return change(current);
    };
    const renamed = await patchAs(platform, caller, kind, object, decide, label);
    const [rival] = await sameAs(renaming, renamed);
    if (!rival) return renamed;
    const undo = (current: T) => (renaming.isSame(current) ? back(before) : undefined);
    await patchAs(platform, caller, kind, renamed, undo, label);
    throw error(rival);
  });
}

async function assertMayChange(
  caller: Caller,
  kind: CfKind,
  object: KubeObject,
  label: string,
  body: JsonObject = {},
): Promise<void> {
  try {
    await caller.client.resource(kind.type).patch(nameOf(object), { type: 'merge', body }, { dryRun: true });
  } catch (error) {
    throw cfErrorOf(error, { verb: 'write', label });
  }
}

function alone<T, R>(kind: CfKind, { key }: Uniqueness<T>, work: () => Promise<R>): Promise<R> {
  return oneAtATime(`${qualifiedName(kind.type)} ${key}`, work);
}

async function sameAs<T extends KubeObject>({ others, isSame }: Uniqueness<T>, ours?: T): Promise<readonly T[]> {
  try {
    return (await others()).filter((other) => other.metadata.uid !== ours?.metadata.uid && isSame(other));
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
