import type { FlinkBlueGreenDeploymentStatus } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import type { FlinkDeploymentStatus } from '../../../src/flink/resources/flink-deployment.ts';
import { cleanupFinalizer } from '../../../src/kudo/keys.ts';
import { missingOrdinals } from '../../toy/decide-transitioning.ts';
import { wantedBulbs } from '../../toy/status.ts';
import { type LampView, transitionOf } from '../../toy/view.ts';
import { believing, inMemory, type Mistake, type Spoil, seeing } from './mistake.ts';

const root = 'intermediate state';
const crash = ['crash-after', 'crash-before'] as const;

/** What a crash between two writes leaves behind is not understood. */
export const intermediateMistakes: readonly Mistake[] = [
  {
    name: 'toy: the first stands for all',
    bug: 'When the first bulb is there, all are taken to be there.',
    seenIn: 'Sieve: “step 1 done ⇒ all done” checks',
    root,
    subject: 'toy',
    workload: 'redeploy',
    faults: crash,
    spoil: () => believing<LampView>('lamp', allWhenOne),
  },
  {
    name: 'flink: the savepoint is written down too late',
    bug: 'The path of the savepoint is kept in memory while the old cluster is removed.',
    seenIn: 'intent and result must be on record before what follows: PR #1071 is the reverse of it',
    root,
    subject: 'flink',
    workload: 'savepoint',
    faults: crash,
    spoil: () => inMemory('flinkdeployment', withoutSavepoint),
  },
  {
    name: 'bluegreen: the transition is kept in memory',
    bug: 'How far a transition has come is not written down: the next process begins it anew.',
    seenIn: 'seed 001 keeps it in status for that reason; Sieve: crash between the writes of a reconcile',
    root,
    subject: 'bluegreen',
    workload: 'transition',
    faults: crash,
    spoil: () =>
      inMemory<FlinkBlueGreenDeploymentStatus>(
        'flinkbluegreendeployment',
        ({ transition: _left, ...status }) => status,
      ),
  },
  {
    name: 'flink: nothing holds the resource',
    bug: 'There is no finalizer: a FlinkDeployment is gone before its job is stopped.',
    seenIn: 'Sieve: resource leaks, and data loss, where clean-up depends on being there in time',
    root,
    subject: 'flink',
    workload: 'deletion',
    faults: crash,
    spoil: () => unheld('flinkdeployment', 'flinkdeployments.flink.apache.org/finalizer'),
  },
  {
    name: 'kudo: nothing holds the Instance',
    bug: 'There is no finalizer: an Instance is gone before its cleanup plan has run.',
    seenIn: 'Sieve: resource leaks where clean-up depends on being there in time',
    root,
    subject: 'kudo',
    workload: 'removal',
    faults: crash,
    spoil: () => unheld('instance', cleanupFinalizer),
  },
];

function allWhenOne(view: LampView): LampView {
  const { metadata, status, spec } = view.lamp;
  const made = transitionOf(view.lamp)?.id ?? `${metadata.uid}-${status?.attempt}`;
  const alike = view.bulbs.filter(({ transition }) => transition === made);
  const [first] = alike;
  if (!first) return view;
  const missing = missingOrdinals(alike, wantedBulbs(spec));
  return { ...view, bulbs: [...view.bulbs, ...missing.map((ordinal) => ({ ...first, ordinal }))] };
}

/** As if a finalizer were there already. */
function unheld(name: string, finalizer: string): Spoil {
  return seeing(name, () => (object) => {
    const { finalizers = [] } = object.metadata;
    return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
  });
}

function withoutSavepoint({ transition, jobStatus, ...status }: FlinkDeploymentStatus): FlinkDeploymentStatus {
  const { upgradeSavepointPath: _path, ...job } = jobStatus ?? {};
  if (transition?.restore.mode !== 'savepoint')
    return { ...status, ...(transition && { transition }), ...(jobStatus && { jobStatus }) };
  const { path: _left, ...restore } = transition.restore;
  return { ...status, transition: { ...transition, restore }, jobStatus: job };
}
