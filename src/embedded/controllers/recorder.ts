import type { Json, KubeObject } from '../../kube/object.ts';
import { events } from '../kinds/resource-types.ts';
import { StatusError } from '../status-error.ts';
import { timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';

/** Who tells: a component, and for a kubelet its node. */
export interface Reporter {
  readonly component: string;
  readonly host?: string;
}

/** Tells what happened to an object. Never fails and never delays who tells. */
export type Tell = (
  about: KubeObject,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  /** The part of the object that is meant: `spec.containers{web}`. */
  fieldPath?: string,
) => void;

interface Told {
  readonly namespace: string;
  readonly name: string;
  count: number;
  at: number;
}

/** Events are forgotten an hour after they were last told. */
const lifetime = 3_600_000;

/**
 * Records events as Kubernetes' own components do: the same event told again counts up instead of becoming another.
 * Old events are removed when new ones are told, so an idle cluster needs no timer for them.
 */
export function recorder(world: World, reporter: Reporter): Tell {
  const told = new Map<string, Told>();
  let last: Promise<void> = Promise.resolve();

  return (about, type, reason, message, fieldPath) => {
    const namespace = about.metadata.namespace || 'default';
    const key = [about.kind, namespace, about.metadata.name, about.metadata.uid, type, reason, message, fieldPath].join(
      '\0',
    );
    const now = world.clock.now();
    last = last.then(() => tell(key, namespace, now)).catch(ignoreRefusal);

    async function tell(id: string, place: string, at: number): Promise<void> {
      await forgetOld(at);
      const known = told.get(id);
      const stored = known && world.get(events, known.namespace, known.name);
      if (known && stored) {
        known.count += 1;
        known.at = at;
        told.delete(id);
        told.set(id, known);
        const patch: Json = { count: known.count, lastTimestamp: timestamp(at) };
        await world.patch(events, known.namespace, known.name, patch);
        return;
      }
      const serial = Math.floor(at * 1e6 + world.random.next() * 1e6).toString(16);
      const name = `${about.metadata.name}.${serial}`;
      told.set(id, { namespace: place, name, count: 1, at });
      const what = { type, reason, message };
      await world.create(events, eventFor(about, fieldPath, what, { namespace: place, name }, at, reporter));
    }
  };

  /** `told` is in order of the last telling: the old ones come first. */
  async function forgetOld(now: number): Promise<void> {
    for (const [id, one] of told) {
      if (now - one.at < lifetime) return;
      told.delete(id);
      const stored = world.get(events, one.namespace, one.name);
      if (stored) await world.remove(events, stored);
    }
  }
}

function eventFor(
  about: KubeObject,
  fieldPath: string | undefined,
  what: { readonly type: string; readonly reason: string; readonly message: string },
  identity: { readonly namespace: string; readonly name: string },
  at: number,
  { component, host }: Reporter,
): KubeObject & Record<string, unknown> {
  const { metadata } = about;
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: identity,
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      name: metadata.name,
      ...(metadata.namespace && { namespace: metadata.namespace }),
      uid: metadata.uid,
      ...(metadata.resourceVersion && { resourceVersion: metadata.resourceVersion }),
      ...(fieldPath && { fieldPath }),
    },
    ...what,
    count: 1,
    firstTimestamp: timestamp(at),
    lastTimestamp: timestamp(at),
    source: { component, ...(host && { host }) },
    reportingComponent: component,
    reportingInstance: host ?? '',
  };
}

/** An event that cannot be stored (its namespace is going, its object has an odd name) is not worth more. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof StatusError)) throw error;
}
