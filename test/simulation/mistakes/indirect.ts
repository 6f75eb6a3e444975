import type { Conditions } from '../../../src/control/conditions.ts';
import type { View } from '../../../src/control/controller.ts';
import { type Decision, type JsonPatch, refTo } from '../../../src/control/decision.ts';
import type { Outcomes } from '../../../src/control/outcome.ts';
import type { DeploymentView } from '../../../src/flink/view.ts';
import type { AnyObject, JsonObject } from '../../../src/kube/object.ts';
import type { InstanceView } from '../../../src/kudo/decide/view.ts';
import type { InstanceStatus } from '../../../src/kudo/resources/instance.ts';
import type { LampView } from '../../toy/view.ts';
import { acting, believing, deciding, holding, type Mistake, writing } from './mistake.ts';

const root = 'indirect';

/** Wrong by itself, or once something fails. */
export const indirectMistakes: readonly Mistake[] = [
  {
    name: 'toy: failures are swallowed',
    bug: 'A call that failed is taken for done.',
    seenIn:
      'client libraries that swallow errors (client-node #596, #958); Java operator 1.15: “Could not start Transition”',
    root,
    subject: 'toy',
    workload: 'redeploy',
    faults: ['server-error', 'lose-request'],
    spoil: () => believing<LampView>('lamp', swallowed),
  },
  {
    name: 'kudo: gives up',
    bug: 'After a failure nothing is tried again until somebody edits something.',
    seenIn: 'Java operator: 15 attempts, then nothing until the next event',
    root,
    subject: 'kudo',
    workload: 'change',
    faults: ['server-error', 'throttle'],
    at: /statefulsets/,
    spoil: () => holding('instance', discouraged),
  },
  {
    name: 'cloudfoundry: gives up',
    bug: 'After a failure nothing is tried again until somebody edits something.',
    seenIn: 'Java operator: 15 attempts, then nothing until the next event',
    root,
    subject: 'cloudfoundry',
    workload: 'push',
    faults: ['server-error', 'throttle'],
    at: /appworkloads|statefulsets/,
    spoil: () => holding('appworkload', discouraged),
  },
  {
    name: 'flink: recovery metadata goes with the cluster',
    bug: 'The ConfigMaps that a JobManager recovers from are deleted while it lives.',
    seenIn: 'Sieve: 8 of 46 bugs lose data',
    root,
    subject: 'flink',
    workload: 'redeploy',
    faults: [],
    spoil: () =>
      deciding('flinkdeployment', () => (decision, view) => {
        const { configMaps } = (view as DeploymentView).cluster.ha;
        const clears = decision.actions.some((action) => action.do === 'delete' && action.of.kind === 'Deployment');
        const more = clears ? configMaps.map((of) => ({ do: 'delete', of }) as const) : [];
        return acting(decision, (actions) => [...actions, ...more]);
      }),
  },
  {
    name: 'flink: an empty start when Flink does not answer',
    bug: 'When a savepoint could not be asked for, the job is upgraded without its state.',
    seenIn: 'Java operator 1.15 does it for a nonce without a path',
    root,
    subject: 'flink',
    workload: 'savepoint',
    faults: ['lose-request', 'lose-answer', 'server-error', 'hang'],
    at: /\/stop$/,
    spoil: () => deciding('flinkdeployment', () => resigned),
  },
  {
    name: 'kudo: quiet changes restart pods',
    bug: 'Every plan restarts pods, whatever its parameters say.',
    seenIn: 'KUDO before KEP-27',
    root,
    subject: 'kudo',
    workload: 'change',
    faults: [],
    spoil: () =>
      deciding(
        'instance',
        () => (decision) =>
          writing<InstanceStatus>(decision, ({ execution, ...status }) => ({
            ...status,
            ...(execution && { execution: { ...execution, forced: true, restartUID: execution.uid } }),
          })),
      ),
  },
  {
    name: 'kudo: a password in an event',
    bug: 'What was applied is told in full, a Secret as well.',
    seenIn: 'Sieve: 6 of 46 bugs concern security',
    root,
    subject: 'kudo',
    workload: 'upgrade',
    faults: [],
    spoil: () =>
      deciding('instance', () => (decision, view) => {
        const about = refTo((view as InstanceView).instance);
        const secrets = decision.actions.flatMap((action) =>
          action.do === 'apply' && action.object.kind === 'Secret' ? [JSON.stringify(action.object)] : [],
        );
        const told = secrets.map(
          (text) => ({ do: 'event', about, reason: 'Applied', note: text.slice(-200) }) as const,
        );
        return acting(decision, (actions) => [...actions, ...told]);
      }),
  },
  {
    name: 'flink: a token in SpecChanged',
    bug: 'What changed in the configuration is told in full, a token and a password as well.',
    seenIn: 'Sieve: 6 of 46 bugs concern security',
    root,
    subject: 'flink',
    workload: 'savepoint',
    faults: [],
    by: 'secrecy',
    spoil: () => deciding('flinkdeployment', () => (decision, view) => outspoken(decision, view as DeploymentView)),
  },
  {
    name: 'kudo: a heartbeat in status',
    bug: 'A status is written every minute to say that all is well.',
    seenIn: 'Strimzi #4902, java-operator-sdk #2293: periodic work is what does not scale',
    root,
    subject: 'kudo',
    workload: 'upgrade',
    faults: [],
    spoil: () => deciding('instance', beating),
  },
  {
    name: 'toy: conditions begin anew',
    bug: 'lastTransitionTime is set whenever a condition is written.',
    seenIn: 'conditions that nobody can wait for: Argo Rollouts writes observedGeneration as text',
    root,
    subject: 'toy',
    workload: 'redeploy',
    faults: [],
    spoil: () =>
      deciding(
        'lamp',
        () =>
          (decision, { now }) =>
            writing<{ readonly conditions?: Conditions }>(decision, (status) => ({
              ...status,
              ...(status.conditions && {
                conditions: status.conditions.map((one) => ({
                  ...one,
                  lastTransitionTime: new Date(now).toISOString(),
                })),
              }),
            })),
      ),
  },
  {
    name: 'cloudfoundry: deployed before it is',
    bug: 'A deployment is said to be done when it has been begun.',
    seenIn: 'Korifi’s decision on rolling restarts (ADR) was made to avoid it',
    root,
    subject: 'cloudfoundry',
    workload: 'rolling deployment',
    faults: [],
    spoil: () =>
      deciding(
        'cfdeployment',
        () => (decision) =>
          writing<Progress>(decision, (status) =>
            status.reason === 'DEPLOYING' && status.appRev !== undefined
              ? { ...status, value: 'FINALIZED', reason: 'DEPLOYED' }
              : status,
          ),
      ),
  },
  {
    name: 'cloudfoundry: an instance less while rolling',
    bug: 'Instances are replaced without one more to begin with.',
    seenIn: 'StatefulSets know no surge; Argo Rollouts #1635 asks for more since 2021',
    root,
    subject: 'cloudfoundry',
    workload: 'rolling deployment',
    faults: [],
    spoil: () =>
      deciding(
        'appworkload',
        () => (decision) =>
          acting(decision, (actions) =>
            actions.map((action) =>
              action.do === 'patch' ? { ...action, patch: withoutSurge(action.patch) } : action,
            ),
          ),
      ),
  },
];

interface Progress {
  readonly value?: string;
  readonly reason?: string;
  readonly appRev?: string;
}

function beating(): (decision: Decision, view: View) => Decision {
  let next = 0;
  return (decision, view) => {
    const { instance, now } = view as InstanceView;
    const [first, ...conditions] = instance.status?.conditions ?? [];
    if (decision.actions.length > 0 || !first || now < next)
      return { wakeAt: Math.max(next, now + 1_000), ...decision };
    next = now + 60_000;
    const status = { ...instance.status, conditions: [{ ...first, message: `well at ${now}` }, ...conditions] };
    const journal = { do: 'status', of: refTo(instance), status: status as unknown as JsonObject } as const;
    return { ...decision, actions: [journal], wakeAt: next };
  };
}

function outspoken(decision: Decision, { resource }: DeploymentView): Decision {
  const settings = JSON.stringify(resource.spec.flinkConfiguration);
  return acting(decision, (actions) =>
    actions.map((action) =>
      action.do === 'event' && action.reason === 'SpecChanged' ? { ...action, note: settings } : action,
    ),
  );
}

function swallowed(view: LampView): LampView {
  const outcomes = Object.entries(view.outcomes).map(([id, outcome]) =>
    outcome.result === 'unavailable' ? [id, { ...outcome, result: 'done', value: 0 }] : [id, outcome],
  );
  return { ...view, outcomes: Object.fromEntries(outcomes) };
}

function resigned(decision: Decision, view: View): Decision {
  const { resource, outcomes } = view as DeploymentView;
  const { transition, ...status } = resource.status ?? {};
  const failed = outcomes[transition?.stop?.callId ?? '']?.result === 'unavailable';
  if (!failed || transition?.phase !== 'suspending') return decision;
  const empty = { ...status, transition: { ...transition, phase: 'clearing', restore: { mode: 'stateless' } } };
  const journal = { do: 'status', of: refTo(resource), status: empty as unknown as JsonObject } as const;
  return { actions: [journal], because: 'the job goes on without its state' };
}

/** Whatever failed once is left alone, until its generation is another. */
function discouraged(): (object: AnyObject, outcomes: Outcomes) => boolean {
  const failed = new Map<string, number>();
  return ({ metadata }, outcomes) => {
    const { uid = '', generation = 0 } = metadata;
    if (Object.values(outcomes).some(({ result }) => result === 'unavailable')) failed.set(uid, generation);
    return failed.get(uid) === generation;
  };
}

function withoutSurge(patch: JsonPatch): JsonPatch {
  return patch.filter(({ path }) => path !== '/spec/replicas' && !path.startsWith('/metadata/annotations'));
}
