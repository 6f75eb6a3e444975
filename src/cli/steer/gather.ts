import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import type { Around, Workload } from '../../portrait/workload.ts';

/** What was read beside an object: the objects of each kind, by `qualifiedName`; absent when they could not be read. */
export type Beside = ReadonlyMap<string, readonly AnyObject[]>;

/** Other objects that were asked for by name. */
export type Named = ReadonlyMap<string, AnyObject | 'absent'>;

/** Everything beside an object of a kind that portraits, plans and verbs look at, in one round of requests. */
export async function besideOf(client: Client, workload: Workload, namespace: string): Promise<Beside> {
  const lists = await Promise.all(
    workload.beside.map(async (type) => [qualifiedName(type), await readable(client, type, namespace)] as const),
  );
  return new Map(lists.flatMap(([name, list]) => (list ? [[name, list] as const] : [])));
}

/** The events of a namespace; none when they may not be read. */
export async function eventsOf(client: Client, namespace: string): Promise<readonly AnyObject[]> {
  return (await readable(client, kinds.events, namespace)) ?? [];
}

/** Undefined when the kind is not there or may not be read: whoever looks says so. */
async function readable(
  client: Client,
  type: ResourceType,
  namespace: string,
): Promise<readonly AnyObject[] | undefined> {
  try {
    return (await client.resource(type).list(type.namespaced ? { namespace } : {})).items;
  } catch (error) {
    if (isKubeError(error, 'forbidden', 'not-found')) return undefined;
    throw error;
  }
}

export function namedKey(type: ResourceType, namespace: string, name: string): string {
  return `${qualifiedName(type)}/${type.namespaced ? namespace : ''}/${name}`;
}

/** `Around` over what was read. `missing` hears what was asked for by name and not read. */
export function aroundOver(
  known: { readonly namespace: string; readonly beside: Beside; readonly named?: Named; readonly now: number },
  missing: (type: ResourceType, namespace: string, name: string) => void = () => {},
): Around {
  const { namespace: here, beside, named, now } = known;
  return {
    now,
    list: (type) => beside.get(qualifiedName(type)),
    find: (type, namespace, name) => {
      const other = named?.get(namedKey(type, namespace, name));
      if (other) return other;
      const list = !type.namespaced || namespace === here ? beside.get(qualifiedName(type)) : undefined;
      if (list) return list.find(({ metadata }) => metadata?.name === name) ?? 'absent';
      missing(type, namespace, name);
      return 'unknown';
    },
  };
}

/** Questions lead to further questions only so often. */
const mostRounds = 4;

/**
 * What a pure function answers when all that it asks for by name is read: it is asked again with what was missing. What may not
 * be read stays unknown.
 */
export async function answered<T>(
  client: Client,
  known: { readonly namespace: string; readonly beside: Beside; readonly named?: Named; readonly now: number },
  question: (around: Around) => T,
): Promise<T> {
  const named = new Map(known.named);
  const hopeless = new Set<string>();
  for (let round = 1; ; round++) {
    const wanted = new Map<
      string,
      { readonly type: ResourceType; readonly namespace: string; readonly name: string }
    >();
    const answer = question(
      aroundOver({ ...known, named }, (type, namespace, name) => {
        const key = namedKey(type, namespace, name);
        if (!hopeless.has(key) && name !== '') wanted.set(key, { type, namespace, name });
      }),
    );
    if (wanted.size === 0 || round === mostRounds) return answer;
    await Promise.all(
      [...wanted].map(async ([key, { type, namespace, name }]) => {
        const found = await findOne(client, type, namespace, name);
        if (found === 'unknown') hopeless.add(key);
        else named.set(key, found);
      }),
    );
  }
}

async function findOne(
  client: Client,
  type: ResourceType,
  namespace: string,
  name: string,
): Promise<AnyObject | 'absent' | 'unknown'> {
  try {
    return await client.resource(type).get(type.namespaced ? { namespace, name } : { name });
  } catch (error) {
    if (isKubeError(error, 'not-found')) return error.status?.details?.name ? 'absent' : 'unknown';
    if (isKubeError(error, 'forbidden', 'refused')) return 'unknown';
    throw error;
  }
}
