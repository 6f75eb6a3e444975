import { isApplied, stamped } from '../../../src/control/actions/apply.ts';
import { isThisCreation } from '../../../src/control/actions/create.ts';
import { isLeaving } from '../../../src/control/actions/remove.ts';
import { isWritten } from '../../../src/control/actions/write-status.ts';
import type { Action } from '../../../src/control/decision.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { type Request, storedOf, targetOf } from './server.ts';
import { type Run, seenBy, type World } from './world.ts';

/** What `act` does about an action before any request leaves. */
export type Ready =
  /** True already, by what the caches show: nothing is sent. */
  | { readonly is: 'skipped' }
  /** The view was out of date, or a stranger is in the way: the run ends. */
  | { readonly is: 'ended' }
  | { readonly is: 'sent'; readonly request: Request };

/**
 * `act`'s part of an action. What it relies on of `src/control/actions` is called there itself, so that the two cannot
 * come to differ; the order of the checks is repeated here, because there they are interleaved with requests.
 */
export function prepare(world: World, run: Run, action: Action): Ready {
  const request = asSent(action);
  if (!request) return { is: 'skipped' };
  const seen = storedOf(seenBy(world), targetOf(request));
  switch (request.do) {
    case 'status':
      if (seen?.metadata.uid !== request.of.uid || seen.metadata.resourceVersion !== request.of.resourceVersion) {
        return { is: 'ended' };
      }
      return isWrittenOnce(seen as AnyObject, request) ? { is: 'skipped' } : { is: 'sent', request };
    case 'patch':
      return request.patch.length === 0 ? { is: 'skipped' } : { is: 'sent', request };
    case 'delete':
      if (seen && isLeaving(seen, request)) return { is: 'skipped' };
      break;
    case 'create':
      if (seen && isThisCreation(seen, request.object)) return { is: 'skipped' };
      break;
    case 'apply': {
      const live = seen ?? storedOf(world.cluster, targetOf(request));
      if (!live) break;
      const owners = new Set(live.metadata.ownerReferences?.map((owner) => owner.uid));
      const ours = request.object.metadata.ownerReferences ?? [];
      if (ours.length > 0 && !ours.some((owner) => owners.has(owner.uid))) return { is: 'ended' };
      const { resourceVersion } = request;
      if (resourceVersion !== undefined && live.metadata.resourceVersion !== resourceVersion) return { is: 'ended' };
      if (isApplied(live, request.object)) return { is: 'skipped' };
    }
  }
  // Before its first effect a run proves that the resource is still in the version that was decided on.
  const proven = run.proven || world.cluster.resource?.metadata.resourceVersion === run.version;
  return proven ? { is: 'sent', request } : { is: 'ended' };
}

/** Whether a request, once it was answered, proves the version for the rest of the run. */
export function provesVersion(request: Request): boolean {
  // A patch of something else carries that object's version, not the resource's.
  return request.do !== 'patch' || request.of.kind === 'FlinkBlueGreenDeployment';
}

function asSent(action: Action): Request | undefined {
  switch (action.do) {
    case 'apply':
      return { ...action, object: stampedOnce(action.object) };
    case 'status':
    case 'create':
    case 'patch':
      return action;
    case 'delete':
      return { do: 'delete', of: action.of };
    default:
      return undefined;
  }
}

const stamps = new WeakMap<object, AnyObject>();

function stampedOnce(object: Extract<Request, { do: 'apply' }>['object']): AnyObject {
  const known = stamps.get(object) ?? stamped(object);
  stamps.set(object, known);
  return known;
}

const written = new WeakMap<object, WeakMap<object, boolean>>();

function isWrittenOnce(seen: AnyObject, action: Extract<Request, { do: 'status' }>): boolean {
  const of = written.get(action.status) ?? new WeakMap<object, boolean>();
  written.set(action.status, of);
  const known = of.get(seen) ?? isWritten(seen, action);
  of.set(seen, known);
  return known;
}
