import { canonical } from '../../../src/control/digest.ts';
import type { World } from '../../../src/embedded/world.ts';
import type { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import { type Instance, instance } from '../../../src/kudo/resources/instance.ts';
import type { Patience } from '../patience.ts';

/**
 * Longer than any outage or leap of a clock: a plan that has taken too long rightly gives way to whatever somebody changes, and then
 * ends otherwise than without that.
 */
const longestPlanSeconds = 2 * 60 * 60;

export const namespace = 'data';
export const name = 'one';

/** What a person can do to an Instance, and how to wait for what comes of it; a violation when it does not come. */
export interface Person {
  install(): Promise<void>;
  set(parameters: Readonly<Record<string, string>>): Promise<void>;
  /** To the second version. */
  turn(): Promise<void>;
  trigger(planName: string): Promise<void>;
  remove(): Promise<void>;
  /** Until so many executions have ended like this, none runs, and its resources are ready. */
  ended(outcome: string, times: number): Promise<void>;
  /** Until nothing is left of it. */
  gone(): Promise<void>;
  /** The uids of the nodes that are there. */
  pods(): readonly string[];
  /** So many of these pods are still there; a violation otherwise. */
  kept(pods: readonly string[], count: number): void;
}

/**
 * Whether all that was changed has been taken, so that the next change is one of its own. Changes of parameters that run different
 * plans are one change if they are seen together, and people are told to make them one after the other.
 */
export function isTaken(one: Instance | undefined): boolean {
  const { operatorVersion, parameters = {} } = one?.spec ?? {};
  const { accepted } = one?.status ?? {};
  return (
    one === undefined ||
    (accepted?.operatorVersion.name === operatorVersion?.name &&
      canonical(accepted?.parameters) === canonical(parameters))
  );
}

interface Place {
  readonly client: Client;
  readonly world: World;
  readonly patience: Patience;
  readonly violate: (what: string) => void;
  /** Whether pods may have gone for other reasons than plans. */
  readonly isExcused: () => boolean;
}

export function personWith({ client, world, patience, violate, isExcused }: Place): Person {
  const find = (): Instance | undefined => world.get<Instance>(instance.type, namespace, name);
  const until = (what: string, holds: () => boolean): Promise<void> =>
    patience.until(holds, (minutes) => {
      violate(`${what} within ${minutes} minutes: ${JSON.stringify(find()?.status)}`);
    });
  const edit = async (spec: object): Promise<void> => {
    await until('the last change was not taken', () => isTaken(find()));
    await client.resource(instance.type).patch({ namespace, name }, { type: 'merge', body: { spec } });
  };
  const nodes = (): readonly AnyObject[] =>
    world
      .list(kinds.pods)
      .filter(({ metadata }) => metadata.labels?.app === `${name}-node` && !metadata.deletionTimestamp);
  const pods = (): readonly string[] => nodes().map(({ metadata }) => metadata.uid ?? '');
  return {
    install: async () => {
      const spec = { operatorVersion: { name: 'demo-0.1.0' }, drift: 'repair', planTimeoutSeconds: longestPlanSeconds };
      const object = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', metadata: { name, namespace }, spec };
      await client.resource<KubeObject>(instance.type).create(object as KubeObject);
    },
    set: (parameters) => edit({ parameters }),
    turn: () => edit({ operatorVersion: { name: 'demo-0.2.0' } }),
    trigger: (planName) => edit({ planExecution: { planName, uid: `asked-${planName}` } }),
    remove: async () => void (await client.resource(instance.type).delete({ namespace, name })),
    ended: (outcome, times) =>
      until(`it was not ${outcome}`, () => {
        const { spec, status } = find() ?? {};
        const { execution, history = [], conditions = [] } = status ?? {};
        const rests = execution === undefined && (spec?.planExecution?.planName ?? '') === '';
        const alike = history.filter((past) => `${past.plan} ${past.outcome}` === outcome).length;
        const ready = conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True');
        return rests && alike >= times && (ready || !outcome.endsWith('COMPLETE'));
      }),
    gone: () => until('it did not go', () => find() === undefined && nodes().length === 0),
    pods,
    kept: (before, count) => {
      const now = pods();
      const kept = before.filter((uid) => now.includes(uid)).length;
      if (kept !== count && !isExcused()) violate(`${kept} of ${before.length} pods were kept instead of ${count}`);
    },
  };
}
