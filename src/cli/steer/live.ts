import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Client } from '../../kube/client.ts';
import type { KubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import { listWatch } from '../../kube/reflector/list-watch.ts';
import { reflect } from '../../kube/reflector/reflect.ts';
import { Store } from '../../kube/reflector/store.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import type { Found } from './find-subject.ts';
import type { Beside } from './gather.ts';

/** An object and what is around it, kept current. */
export interface Live {
  /** As it is now; undefined when it is gone. */
  object(): AnyObject | undefined;
  beside(): Beside;
  events(): readonly AnyObject[];
  /** Why what is known may be old; undefined while all is well. */
  trouble(): KubeError | undefined;
  /** Everything was read once, as far as it may be read. */
  readonly ready: Promise<void>;
}

interface Options {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Called whenever something is different. */
  changed(): void;
}

/** Watches an object, the kinds beside it in its namespace, and the events there, until the signal aborts. */
export function live({ workload, object: { metadata } }: Found, options: Options): Live {
  const { name = '', namespace = 'default' } = metadata;
  const own = follow(workload.type, { namespace, fieldSelector: { 'metadata.name': name } }, options);
  const others = [...workload.beside, kinds.events].map((type) => ({
    name: qualifiedName(type),
    ...follow(type, type.namespaced ? { namespace } : {}, options),
  }));
  return {
    object: () => [...own.store.all()].find((one) => one.metadata.name === name),
    beside: () =>
      new Map(others.filter(({ store }) => store.synced).map(({ name: type, store }) => [type, [...store.all()]])),
    events: () => [...(others.at(-1)?.store.all() ?? [])],
    trouble: () => own.trouble(),
    ready: Promise.all([own.settled, ...others.map(({ settled }) => settled)]).then(() => undefined),
  };
}

interface Following {
  readonly store: Store<AnyObject>;
  trouble(): KubeError | undefined;
  /** It was read, or is known not to be readable. */
  readonly settled: Promise<void>;
}

function follow(
  type: ResourceType,
  scope: { readonly namespace?: string; readonly fieldSelector?: Readonly<Record<string, string>> },
  { client, clock, random, signal, changed }: Options,
): Following {
  const store = new Store<AnyObject>();
  const settled = Promise.withResolvers<void>();
  let trouble: KubeError | undefined;
  const source = listWatch(client.resource(type), scope);
  const run = async (): Promise<void> => {
    for await (const event of reflect(source, { clock, random, signal })) {
      if (event.type === 'trouble') trouble = event.error;
      else if (event.type !== 'init') trouble = undefined;
      store.apply(event);
      if (event.type === 'trouble' || event.type === 'synced') settled.resolve();
      if (event.type !== 'init' && event.type !== 'init-apply' && event.type !== 'bookmark') changed();
    }
  };
  void run().finally(settled.resolve);
  return { store, trouble: () => trouble, settled: settled.promise };
}
