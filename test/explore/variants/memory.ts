import { annotations } from '../../../src/control/annotations.ts';
import { blueGreenSpecCodec } from '../../../src/flink/resources/blue-green-spec.ts';
import {
  acting,
  other,
  type Status,
  specWithJob,
  statusIn,
  type Variant,
  withJob,
  withStatus,
  writing,
} from './variant.ts';

const isSet = (text: string | undefined): text is string => text !== undefined && Date.parse(text) > 0;

/** Things remembered too long, forgotten too soon, or written down too early. */
export const memoryVariants: readonly Variant[] = [
  {
    name: 'stale ready timestamp',
    bug: 'When a transition is aborted, the moment at which its target was ready is kept; the next deletion delay counts from it.',
    seenIn: 'FLINK-40119 (PR #1159)',
    breaks: 'delay kept',
    scenario: {
      edits: ['image', 'another image'],
      budget: { edits: 2, failures: 1 },
      configuration: { 'deployment-deletion.delay': '5 s' },
    },
    of: (decide) => (view) => {
      const status = view.resource.status ?? {};
      const { deploymentReadyTimestamp: known, transition } = status;
      const stale = isSet(known) && transition?.readyAt !== undefined;
      const times = {
        readyAt: known as string,
        ...(transition?.trafficAt !== undefined && { trafficAt: known as string }),
      };
      const seen =
        stale && transition ? withStatus(view, { ...status, transition: { ...transition, ...times } }) : view;
      const decision = decide(seen);
      if (!isSet(known) || !statusIn(decision)) return decision;
      return writing(view, decision, (written) => ({ ...written, deploymentReadyTimestamp: known }));
    },
  },
  {
    name: 'stale trigger id',
    bug: 'A savepoint that an earlier transition left behind is taken for the one that was asked for.',
    seenIn: 'PR #1071 (trigger id kept after an abort); the same after an edit that was taken back while savepointing',
    breaks: 'right state',
    scenario: { edits: ['image', 'another image'], budget: { edits: 2 } },
    of: (decide) => (view) => {
      const decision = decide(view);
      const asked = statusIn(decision)?.transition?.savepoint;
      const old = view.snapshots.find(({ metadata, status }) => status?.path && metadata.name !== asked?.snapshot);
      if (!asked || asked.path !== undefined || !old) return decision;
      const reused = writing(view, decision, (status) => ({
        ...status,
        ...(status.transition && {
          transition: { ...status.transition, savepoint: { ...asked, snapshot: old.metadata.name ?? '' } },
        }),
      }));
      return acting(reused, (actions) => actions.filter((action) => action.do !== 'create'));
    },
  },
  {
    name: 'spec recorded too early',
    bug: 'The newest spec is recorded as reconciled when its transition begins, not when it has become true.',
    seenIn: 'PR #1072 (open)',
    breaks: 'no edit lost',
    scenario: { edits: ['image'], budget: { edits: 1 } },
    of: (decide) => (view) => {
      const decision = decide(view);
      const begun = statusIn(decision)?.transition;
      if (!begun || view.resource.status?.transition || begun.from === undefined) return decision;
      return writing(view, decision, (status) => ({
        ...status,
        lastReconciledSpec: blueGreenSpecCodec.write(view.resource.spec),
      }));
    },
  },
  {
    name: 'nonce ignored mid-transition',
    bug: 'A redeploy nonce that changes during a transition is recorded as reconciled, and nothing else happens.',
    seenIn: 'seed 003, “Old Behavior”',
    breaks: 'nonce once',
    scenario: { edits: ['image', 'stateless nonce'], budget: { edits: 2 } },
    of: (decide) => (view) => {
      const { transition } = view.resource.status ?? {};
      const target = transition?.spec === undefined ? undefined : blueGreenSpecCodec.read(transition.spec);
      if (!target?.ok) return decide(view);
      const { statelessRedeployNonce: wanted } = view.resource.spec.template?.spec?.job ?? {};
      const { statelessRedeployNonce: made } = target.spec.template?.spec?.job ?? {};
      if (wanted === made) return decide(view);
      const decision = decide(withJob(view, ({ ...job }) => ({ ...job, statelessRedeployNonce: made })));
      return writing(view, decision, (status) => ({
        ...status,
        nonces: { ...status.nonces, ...(wanted !== undefined && { statelessRedeploy: wanted }) },
      }));
    },
  },
  {
    name: 'nonce recorded before its target',
    bug: 'The transition that a nonce interrupts is dropped together with the nonce: “marks spec as reconciled”.',
    seenIn: 'seed 003, “Abort Phase”, taken literally',
    breaks: 'nonce once',
    scenario: { edits: ['image', 'savepoint nonce'], budget: { edits: 2 } },
    of: (decide) => (view) => {
      const decision = decide(view);
      const before = view.resource.status?.transition;
      const { spec } = view.resource;
      const nonce = spec.template?.spec?.job?.savepointRedeployNonce;
      const after = statusIn(decision);
      if (!before || !after || after.transition || nonce === undefined || after.nonces?.savepointRedeploy === nonce) {
        return decision;
      }
      return writing(view, decision, (status: Status) => ({
        ...status,
        lastReconciledSpec: blueGreenSpecCodec.write(spec),
        nonces: { ...status.nonces, savepointRedeploy: nonce },
      }));
    },
  },
  {
    name: 'failed savepoint swallows the edit',
    bug: 'When the savepoint fails, the spec is recorded as reconciled and nothing is tried again.',
    seenIn: 'Java operator 1.15: “Could not start Transition”',
    breaks: 'no edit lost',
    scenario: { edits: ['image'], budget: { edits: 1, failures: 1 } },
    of: (decide) => (view) => {
      const decision = decide(view);
      if ((statusIn(decision)?.transition?.savepointFailures ?? 0) === 0) return decision;
      const lastReconciledSpec = blueGreenSpecCodec.write(view.resource.spec);
      const dropped = writing(view, decision, ({ transition: _, error: __, ...status }) => ({
        ...status,
        lastReconciledSpec,
      }));
      return acting(dropped, (actions) => actions.slice(0, 1));
    },
  },
  {
    name: 'empty start after a failed savepoint',
    bug: 'When the savepoint fails, the new side starts without state.',
    seenIn: 'what a fallback to stateless would do; the Java operator does it for a nonce without a path',
    breaks: 'right state',
    scenario: { edits: ['image'], budget: { edits: 1, failures: 1 } },
    of: (decide) => (view) => {
      const failed = view.snapshots.some(({ status }) => status?.state === 'FAILED');
      if (!failed || !view.resource.status?.transition) return decide(view);
      const decision = decide(withJob(view, (job) => ({ ...job, upgradeMode: 'stateless' })));
      return acting(decision, (actions) =>
        actions.map((action) => {
          if (action.do !== 'create' || action.object.kind !== 'FlinkDeployment') return action;
          const object = JSON.parse(JSON.stringify(action.object)) as { spec: { job: { upgradeMode: string } } };
          object.spec.job.upgradeMode = 'savepoint';
          return { ...action, object: object as unknown as typeof action.object };
        }),
      );
    },
  },
  {
    name: 'left-over side reused',
    bug: 'The side that an abort left is given the new spec instead of being made anew; it goes on from its own old state.',
    seenIn: 'Java operator 1.15: createOrReplace of the suspended child',
    breaks: 'fresh target',
    scenario: { edits: ['image', 'another image'], budget: { edits: 2, failures: 1 } },
    of: (decide) => (view) => {
      const status = view.resource.status ?? {};
      const color = status.transition?.to ?? other(status.serving?.color ?? 'GREEN');
      const left = view.sides[color];
      const known = status.transition?.targetId ?? '';
      if (!left || left.terminating || left.id === known || status.transition?.targetUid === left.ref.uid)
        return decide(view);
      const hidden = { ...view, sides: { ...view.sides, [color]: undefined } };
      return acting(decide(hidden), (actions) =>
        actions.map((action) => {
          if (action.do !== 'create' || action.object.kind !== 'FlinkDeployment') return action;
          const { metadata, spec } = action.object as typeof action.object & { readonly spec: never };
          const id = metadata.annotations?.[annotations.id] ?? '';
          return {
            do: 'patch' as const,
            of: left.ref,
            patch: [
              { op: 'replace' as const, path: '/spec', value: spec },
              { op: 'add' as const, path: '/metadata/annotations/cutover.dev~1id', value: id },
            ],
          };
        }),
      );
    },
  },
  {
    name: 'edit of an unhealthy side swallowed',
    bug: 'An edit that needs state while the serving side is not well is recorded as reconciled and dropped.',
    seenIn: 'Java operator 1.15: “Transition not possible, current Flink Deployment is not READY”',
    breaks: 'no edit lost',
    scenario: { edits: ['image'], budget: { edits: 1, failures: 1 } },
    of: (decide) => (view) => {
      const decision = decide(view);
      const waits = statusIn(decision)?.conditions?.some(({ reason }) => reason === 'ServingNotReady');
      if (!waits) return decision;
      const spec = specWithJob(view.resource.spec, (job) => job);
      return writing(view, decision, (status) => ({ ...status, lastReconciledSpec: blueGreenSpecCodec.write(spec) }));
    },
  },
];
