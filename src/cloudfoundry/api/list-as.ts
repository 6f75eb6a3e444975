import { isKubeError } from '../../kube/error.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { LabelSelector } from '../../kube/selector/label-selector.ts';
import { cfErrorOf } from './kube-trouble.ts';
import type { Caller, Platform } from './platform.ts';
import type { CfKind } from './read-as.ts';

/** Which objects. */
export interface ListScope {
  /** Only these spaces, as far as the caller has a role in them. Absent: all of his. */
  readonly spaces?: readonly string[] | undefined;
  /** Labels and the values that each may have; `undefined` asks for nothing. */
  readonly labels?: Readonly<Record<string, readonly string[] | undefined>>;
}

/** How many lists run at once for one request. */
const lanes = 8;
/** More values than this make a selector longer than a URL should be: they are compared here. */
const longestSelector = 100;

const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/**
 * Objects of the spaces that the caller can see, read with his own credentials: one list per space, and one in all for whoever
 * may list everywhere. A space that he may not list is empty to him.
 */
export async function listAs<T extends KubeObject>(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  scope: ListScope = {},
): Promise<readonly T[]> {
  const wanted = Object.entries(scope.labels ?? {}).flatMap(([key, values]) => (values ? [{ key, values }] : []));
  const sendable = wanted.map(({ key, values }) => ({ key, values: values.filter((value) => labelValue.test(value)) }));
  if (sendable.some(({ values }) => values.length === 0)) return [];
  const [short, long] = partition(sendable, ({ values }) => values.length <= longestSelector);
  const labelSelector: LabelSelector = {
    matchExpressions: short.map(({ key, values }) => ({ key, operator: 'In', values })),
  };
  const chosen = scope.spaces && new Set(scope.spaces);
  const visible = platform.directory
    .spaces(caller)
    .map(({ guid }) => guid)
    .filter((guid) => !chosen || chosen.has(guid));
  const listed = await inSpaces<T>(platform, caller, kind, visible, labelSelector);
  const sets = long.map(({ key, values }) => ({ key, values: new Set(values) }));
  return listed.filter(({ metadata }) => sets.every(({ key, values }) => values.has(metadata.labels?.[key] ?? '')));
}

async function inSpaces<T extends KubeObject>(
  platform: Platform,
  caller: Caller,
  kind: CfKind,
  spaces: readonly string[],
  labelSelector: LabelSelector,
): Promise<readonly T[]> {
  const resource = caller.client.resource<T>(kind.type);
  const list = async (namespace: string | undefined): Promise<readonly T[] | undefined> => {
    try {
      return (await resource.list({ labelSelector, ...(namespace !== undefined && { namespace }) })).items;
    } catch (error) {
      if (isKubeError(error, 'forbidden', 'not-found')) return undefined;
      throw cfErrorOf(error, { verb: 'read', label: kind.type.kind });
    }
  };
  if (spaces.length > 1 && platform.directory.everywhere(caller)) {
    const all = await list(undefined);
    const visible = new Set(spaces);
    if (all) return all.filter(({ metadata }) => visible.has(metadata.namespace ?? ''));
  }
  return (await bounded(spaces, lanes, list)).flatMap((items) => items ?? []);
}

/** Does it for all, a few at a time; answers come in the order of the inputs. */
export async function bounded<A, B>(inputs: readonly A[], limit: number, work: (input: A) => Promise<B>): Promise<B[]> {
  const answers: B[] = new Array(inputs.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < inputs.length; at = next++) answers[at] = await work(inputs[at] as A);
  };
  await Promise.all(Array.from({ length: Math.min(limit, inputs.length) }, lane));
  return answers;
}

function partition<T>(all: readonly T[], holds: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(holds), all.filter((one) => !holds(one))];
}
