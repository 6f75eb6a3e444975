import type { View } from '../../../src/control/controller.ts';
import { type Action, type Decision, idle } from '../../../src/control/decision.ts';
import { digest } from '../../../src/control/digest.ts';
import type { Outcomes } from '../../../src/control/outcome.ts';
import type { AnyObject, JsonObject } from '../../../src/kube/object.ts';
import type { Request } from '../../../src/kube/transport.ts';
import type { Fault } from '../plan.ts';
import type { SimulateOptions } from '../simulate.ts';

/** The classes of Sieve (OSDI’22): what a controller that has the bug fails to cope with. */
export type Root = 'stale state' | 'intermediate state' | 'unobserved state' | 'indirect';

/** What is exchanged in the operator. Made anew for each run. */
export type Spoil = Pick<SimulateOptions, 'alter' | 'send' | 'leaderless'>;

/** A mistake that operators are known to make, made on purpose in one that does not. */
export interface Mistake {
  readonly name: string;
  /** What is done wrong, in one sentence. */
  readonly bug: string;
  /** Where it was seen. */
  readonly seenIn: string;
  readonly root: Root;
  readonly subject: string;
  readonly workload: string;
  /** What has to go wrong besides, one of these; none when it shows by itself. */
  readonly faults: readonly Fault[];
  /** It has to go wrong at such a call. Default: at any. */
  readonly at?: RegExp;
  /** The oracle that must notice, if it is not enough that any does. */
  readonly by?: string;
  spoil(): Spoil;
}

/** Changes what a controller decides. `make` is called for each process: what it remembers dies with it. */
export function deciding(name: string, make: () => (decision: Decision, view: View) => Decision): Spoil {
  return {
    alter: (which, controller) => {
      if (which !== name) return controller;
      const change = make();
      return { ...controller, decide: (view) => change(controller.decide(view), view) };
    },
  };
}

/** Changes what a controller sees of the object that it is about. `make` is called for each process. */
export function seeing(name: string, make: () => (object: AnyObject) => AnyObject): Spoil {
  return {
    alter: (which, controller) => {
      if (which !== name) return controller;
      const change = make();
      return {
        ...controller,
        observe: (key, glance) => controller.observe(key, { ...glance, object: change(glance.object) }),
      };
    },
  };
}

/** Does nothing about objects for which it holds. `make` is called for each process. */
export function holding(name: string, make: () => (object: AnyObject, outcomes: Outcomes) => boolean): Spoil {
  return {
    alter: (which, controller) => {
      if (which !== name) return controller;
      const holds = make();
      const held = new WeakSet<View>();
      return {
        ...controller,
        observe: async (key, glance) => {
          const view = await controller.observe(key, glance);
          if (holds(glance.object, glance.outcomes)) held.add(view);
          return view;
        },
        decide: (view) => (held.has(view) ? idle('nothing is noticed') : controller.decide(view)),
      };
    },
  };
}

/** Keeps what is hidden of a status in memory instead: it is known as long as the process lives. */
export function inMemory<S>(name: string, hide: (status: S) => S): Spoil {
  return {
    alter: (which, controller) => {
      if (which !== name) return controller;
      const whole = new Map<string, { readonly hidden: string; readonly status: S }>();
      return {
        ...controller,
        observe: (key, glance) => {
          const known = whole.get(glance.object.metadata.uid);
          const isSame = known !== undefined && known.hidden === digest(glance.object.status ?? {});
          return controller.observe(
            key,
            isSame ? { ...glance, object: { ...glance.object, status: known.status } } : glance,
          );
        },
        decide: (view) => {
          const decision = controller.decide(view);
          const [journal] = decision.actions;
          if (journal?.do !== 'status') return decision;
          const status = journal.status as S;
          const hidden = hide(status);
          whole.set(journal.of.uid, { hidden: digest(hidden as JsonObject), status });
          return writing<S>(decision, () => hidden);
        },
      };
    },
  };
}

/** Changes what a controller knows besides that object. */
export function believing<V extends View>(name: string, change: (view: V) => V): Spoil {
  return {
    alter: (which, controller) =>
      which === name ? { ...controller, decide: (view: V) => controller.decide(change(view)) } : controller,
  };
}

/** Hears of nothing but the objects that people write. */
export function deaf(name: string): Spoil {
  return { alter: (which, controller) => (which === name ? { ...controller, triggers: [] } : controller) };
}

/** The same decision with something changed about its actions. */
export function acting(decision: Decision, change: (actions: readonly Action[]) => readonly Action[]): Decision {
  return { ...decision, actions: change(decision.actions) };
}

/** The same decision with something changed about the status that it writes, if it does. */
export function writing<S>(decision: Decision, change: (status: S) => S): Decision {
  return acting(decision, (actions) =>
    actions.map((action) =>
      action.do === 'status' ? { ...action, status: change(action.status as S) as typeof action.status } : action,
    ),
  );
}

/** Deletes whatever has the name. */
export function byName(request: Request): Request {
  if (request.method !== 'DELETE' || request.body === undefined) return request;
  const { preconditions: _left, ...options } = JSON.parse(request.body.toString());
  return { ...request, body: Buffer.from(JSON.stringify(options)) };
}

/** Overwrites whatever status is there. */
export function unversioned(request: Request): Request {
  if (request.method !== 'PUT' || !request.path.includes('/status?') || request.body === undefined) return request;
  const { status } = JSON.parse(request.body.toString());
  const body = Buffer.from(JSON.stringify([{ op: 'add', path: '/status', value: status }]));
  return { ...request, method: 'PATCH', headers: { ...request.headers, 'content-type': jsonPatch }, body };
}

const jsonPatch = 'application/json-patch+json';
