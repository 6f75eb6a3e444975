import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ObjectName } from '../../kube/path.ts';
import type { Calls } from '../calls.ts';
import type { Ref } from '../decision.ts';
import type { EventSink } from '../events.ts';
import type { KindTable } from '../kinds.ts';
import type { Mirror } from '../mirror.ts';

/** All that actions are done with. */
export interface Hands {
  readonly client: Client;
  readonly clock: Clock;
  readonly kinds: KindTable;
  readonly mirror: Mirror;
  readonly calls: Calls;
  readonly events: EventSink;
  /** The field manager of everything we write. */
  readonly manager: string;
}

/** `skipped`: it was true already, and nothing was sent. */
export type Did = 'acted' | 'skipped';

/** The world is not as the view showed it. Observe again. */
export class Stale extends Error {}

/** The right to act was lost on the way: nothing was sent. */
export class Lapsed extends Error {
  constructor() {
    super('the leader lease is no longer held');
  }
}

/** We will not, whatever the server would say: doing it would touch what is not ours. */
export class Refusal extends Error {}

export function nameOfRef(ref: Pick<Ref, 'namespace' | 'name'>): ObjectName {
  return ref.namespace ? { namespace: ref.namespace, name: ref.name } : { name: ref.name };
}

/** `Deployment team-a/web` */
export function describe(object: KubeObject | Ref): string {
  const { namespace, name } = 'metadata' in object ? object.metadata : object;
  return `${object.kind} ${namespace ? `${namespace}/` : ''}${name ?? ''}`;
}
