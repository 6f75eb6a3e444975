import { kinds } from '../../kube/kinds.ts';
import type { AnyObject } from '../../kube/object.ts';
import { acceptNames } from '../crd/accept-names.ts';
import { asDefinition } from '../crd/definition.ts';
import { served } from '../crd/served.ts';
import type { ServedResource } from '../resource.ts';
import { equal } from '../schema/equal.ts';
import { copy } from '../schema/json.ts';
import { StatusError } from '../status-error.ts';
import { printerFor } from '../table/printer-for.ts';
import { timestamp } from '../timestamp.ts';
import type { World } from '../world.ts';
import type { Resources } from './resources.ts';

const type = kinds.customResourceDefinitions;

/** After a write that was refused (a webhook may forbid a finalizer's removal, a disk may be full) it is tried again. */
const retryMs = 5000;

/** Set on a definition that is being deleted until the last of its objects is gone. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/**
 * Serves what CustomResourceDefinitions define: accepts their names, adds and withdraws their resources, and on
 * deletion of a definition deletes its objects first. Returns the way to stop.
 */
export function serveCustomResources(
  world: World,
  resources: Resources,
  trouble: (what: string, error: unknown) => void,
): () => void {
  const current = new Map<string, readonly ServedResource[]>();
  const watched = new Map<string, () => void>();
  const retries = new Map<string, () => void>();
  let stopped = false;

  const serve = (name: string, definition: AnyObject | undefined): void => {
    const now = definition ? served(definition, printerFor) : [];
    const before = current.get(name) ?? [];
    if (now.length === 0 && before.length === 0) return;
    resources.replace(before, now);
    if (now.length > 0) current.set(name, now);
    else current.delete(name);
  };

  const settle = async (name: string): Promise<void> => {
    const object = world.get(type, undefined, name);
    if (!object) return;
    const definition = asDefinition(object);
    const others = world.list(type).map(asDefinition);
    const status = acceptNames(definition, others, timestamp(world.clock.now()));
    if (!equal(status, definition.status)) await world.updateStatus(type, { ...object, status } as AnyObject);
    else if (object.metadata.deletionTimestamp) await clean(object);
  };

  /** Deletes what the definition defined; the last object's end lets the definition go. */
  const clean = async (object: AnyObject): Promise<void> => {
    const name = object.metadata.name as string;
    const [resource] = current.get(name) ?? [];
    const left = resource ? world.list(resource) : [];
    if (resource && left.length > 0) {
      if (!watched.has(name))
        watched.set(
          name,
          world.watch(resource, () => run(name)),
        );
      for (const one of left) if (!one.metadata.deletionTimestamp) await world.remove(resource, one);
      return;
    }
    const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== cleanupFinalizer);
    if (finalizers.length === object.metadata.finalizers?.length) return;
    const draft = copy(object) as unknown as { metadata: Record<string, unknown> };
    draft.metadata.finalizers = finalizers;
    await world.update(type, draft as unknown as AnyObject);
  };

  const run = (name: string): void => {
    retries.get(name)?.();
    retries.delete(name);
    settle(name).catch((error: unknown) => {
      // Someone wrote in between: their write comes back here.
      const reason = error instanceof StatusError ? error.status.reason : '';
      if (stopped || reason === 'Conflict' || reason === 'NotFound') return;
      trouble(`custom resource definition ${name}`, error);
      retries.set(
        name,
        world.clock.after(retryMs, () => run(name)),
      );
    });
  };

  const stop = world.watch(type, ({ before, after }) => {
    const name = (after ?? before)?.metadata.name as string;
    serve(name, after);
    if (after) return run(name);
    watched.get(name)?.();
    watched.delete(name);
    // Names that it held are free: others may have waited for them.
    for (const other of world.list(type)) run(other.metadata.name as string);
  });
  for (const object of world.list(type)) {
    serve(object.metadata.name as string, object);
    run(object.metadata.name as string);
  }
  return () => {
    stopped = true;
    stop();
    for (const end of [...watched.values(), ...retries.values()]) end();
  };
}
