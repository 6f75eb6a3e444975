import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { annotations, labels } from '../keys.ts';
import type { InstanceStatus } from '../resources/instance.ts';
import { anInstance, aroundWith, atRest, aVersion, began, condition, planStatus } from './around.fixture.ts';
import { portray } from './portray.ts';

const owner = (kind: string, uid: string, name: string) => ({
  apiVersion: 'apps/v1',
  kind,
  name,
  uid,
  controller: true,
});

const byInstance = { apiVersion: 'kudo.dev/v1beta1', kind: 'Instance', name: 'db', uid: 'uid-db', controller: true };

/** A StatefulSet of two pods, of which the second is of the new revision. */
const nodes: AnyObject = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: {
    name: 'db-node',
    namespace: 'shop',
    uid: 'uid-set',
    generation: 2,
    creationTimestamp: began,
    ownerReferences: [byInstance],
    annotations: { [annotations.operatorVersion]: '1.0.0', [annotations.planUid]: 'run-2' },
  },
  spec: { replicas: 2, template: {} },
  status: { observedGeneration: 2, replicas: 2, readyReplicas: 1, updatedReplicas: 1, updateRevision: 'new' },
};

function pod(name: string, revision: string, created: string, more: object = {}): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      creationTimestamp: created,
      labels: { heritage: 'kudo', [labels.instance]: 'db', 'controller-revision-hash': revision },
      ownerReferences: [owner('StatefulSet', 'uid-set', 'db-node')],
    },
    spec: { containers: [{ name: 'main' }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ...more },
  };
}

const old = pod('db-node-0', 'old', began);
const fresh = pod('db-node-1', 'new', '2026-11-01T10:09:30Z', {
  conditions: [],
  containerStatuses: [
    {
      name: 'main',
      restartCount: 2,
      lastState: { terminated: { reason: 'OOMKilled', exitCode: 137, finishedAt: '2026-11-01T10:09:50Z' } },
    },
  ],
});

const because = 'pods of db-node restart because LEVEL changed level in ConfigMap db-conf';
const running: InstanceStatus = atRest({
  accepted: { operatorVersion: { name: 'db-1' }, parameters: { LEVEL: 'debug', LOGIN: 'hush' } },
  execution: {
    uid: 'run-2',
    plan: 'deploy',
    cause: 'parameters',
    changed: ['LEVEL', 'LOGIN'],
    forced: true,
    restartUID: 'run-2',
    restarts: [{ kind: 'StatefulSet', name: 'db-node', because }],
    startedAt: '2026-11-01T10:09:00Z',
  },
  planStatus: { deploy: planStatus('COMPLETE', 'IN_PROGRESS', 'Waiting for 1 pods to be ready...') },
});

const spec = { parameters: { LEVEL: 'debug', LOGIN: 'hush' } };

describe('the portrait of an Instance whose plan runs', () => {
  const portrait = portray(anInstance(running, { spec }), aroundWith(aVersion(), nodes, old, fresh));

  it('answers the five questions', () => {
    expect(portrait.answers).toEqual({
      serves: 'db-1: 1 of 2 pods are ready.',
      changing: 'Plan deploy runs because LEVEL and LOGIN changed. Pods of StatefulSet db-node restart.',
      progress:
        '1 of 2 steps done; plan deploy began 1m ago. It is at main/nodes (Waiting for 1 pods to be ready). 1 pod still to restart.',
      ifStopped:
        'What plan deploy has applied stays, the rest is not applied. It goes on with what is there, and `cutover retry Instance/db -n shop` runs the plan again.',
      next: 'Nothing: it gets on by itself. To end it, `cutover abort Instance/db -n shop`.',
    });
  });

  it('tells what changed, and nothing of what it was before, which nobody knows', () => {
    const path = (name: string) => `spec.parameters.${name}`;
    expect(portrait.cause?.changes).toEqual([
      { path: path('LEVEL'), to: 'debug', demands: expect.any(String) },
      { path: path('LOGIN'), to: '(secret)', demands: expect.any(String) },
    ]);
  });

  it('says of each pod why it will be or was restarted', () => {
    const reasons = portrait.pods.map(({ name, reasons }) => [name, ...reasons]);
    expect(reasons).toEqual([
      [
        'db-node-0',
        { when: 'will', sentence: 'restarts because LEVEL changed level in ConfigMap db-conf' },
        { when: 'did', sentence: 'made while plan deploy ran, because the Instance was created', at: began },
      ],
      [
        'db-node-1',
        {
          when: 'did',
          sentence: 'restarted because LEVEL changed level in ConfigMap db-conf',
          at: '2026-11-01T10:09:30Z',
        },
        {
          when: 'did',
          sentence: 'container main restarted 2 times by itself, last OOMKilled (exit code 137)',
          at: '2026-11-01T10:09:50Z',
        },
      ],
    ]);
  });

  it('shows what there is beside what is being made of it, and no value that goes into a Secret', () => {
    expect(portrait.sides).toEqual([
      {
        name: 'now',
        role: 'serving',
        phase: 'progressing',
        state: '1 of 2 pods ready',
        facts: [{ label: 'version of its workloads', value: '1.0.0' }],
      },
      {
        name: 'plan deploy',
        role: 'next',
        phase: 'progressing',
        state: '1 of 2 steps done',
        facts: [
          { label: 'because', value: 'LEVEL and LOGIN changed' },
          { label: 'operator version', value: 'db-1' },
          { label: 'LEVEL', value: 'debug' },
          { label: 'LOGIN', value: '(secret)' },
          { label: 'pods', value: 'restart' },
          { label: 'pods still to restart', value: '1' },
        ],
      },
    ]);
    expect(JSON.stringify(portrait)).not.toContain('hush');
  });

  it('draws what it made down to the pods, in the order in which it was applied', () => {
    const shape = (node: typeof portrait.tree): unknown => [
      `${node.kind} ${node.name}: ${node.status}`,
      ...node.children.map(shape),
    ];
    expect(shape(portrait.tree)).toEqual([
      'Instance db: deploy IN_PROGRESS',
      ['ConfigMap db-conf: applied'],
      ['StatefulSet db-node: 1/2 ready', ['Pod db-node-0: Running'], ['Pod db-node-1: Running']],
    ]);
  });

  it('lists the steps with what they do, and marks the present state', () => {
    expect(portrait.steps).toEqual([
      {
        name: 'deploy/main/config',
        title: 'Apply conf.yaml and login.yaml (main/config)',
        status: 'done',
        startedAt: '2026-11-01T10:09:00Z',
      },
      {
        name: 'deploy/main/nodes',
        title: 'Apply nodes.yaml (main/nodes)',
        status: 'current',
        info: 'Waiting for 1 pods to be ready',
      },
    ]);
    expect(portrait.machine?.states.filter(({ current }) => current)).toEqual([{ name: 'IN_PROGRESS', current: true }]);
  });
});

describe('the portrait of a change that waits', () => {
  const conditions = [
    condition('Waiting', 'True', 'PlanInProgress', "plan 'deploy' waits until plan 'backup' has ended"),
  ];
  const waiting = {
    ...running,
    execution: { ...running.execution, plan: 'backup', startedAt: began },
  } as InstanceStatus;
  const edited = { parameters: { LEVEL: 'trace', LOGIN: 'hush' } };

  it('shows it, and when the plan gives way to it', () => {
    const portrait = portray(anInstance({ ...waiting, conditions }, { spec: edited }), aroundWith(aVersion()));
    expect(portrait.sides.at(-1)).toMatchObject({
      name: 'waiting change',
      role: 'next',
      facts: [{ label: 'spec.parameters.LEVEL', value: 'debug → trace' }],
    });
    expect(portrait.deadlines).toEqual([
      { what: 'plan backup gives way to the change that waits', at: '2026-11-01T10:10:00.000Z' },
    ]);
  });

  it('has no deadline where the Instance says that there is none', () => {
    const spec = { ...edited, planTimeoutSeconds: 0 };
    expect(portray(anInstance({ ...waiting, conditions }, { spec }), aroundWith()).deadlines).toEqual([]);
  });
});

describe('the portrait of an Instance at rest', () => {
  it('tells of pods that nobody replaces, and of a restart that is owed', () => {
    const onDelete = { ...nodes, spec: { replicas: 2, updateStrategy: { type: 'OnDelete' }, template: {} } };
    const stuck = portray(anInstance(atRest()), aroundWith(aVersion(), onDelete, old));
    expect(stuck.pods[0]?.reasons[0]).toMatchObject({ when: 'will', sentence: expect.stringContaining('delete it') });
    const owed = atRest({ restart: { uid: 'run-9', plan: 'deploy', changed: ['LEVEL'] } });
    const portrait = portray(anInstance(owed), aroundWith(aVersion(), nodes, fresh));
    expect(portrait.pods[0]?.reasons[0]?.sentence).toBe(
      'a restart is pending because LEVEL changed: the next run of plan deploy, or `cutover restart Instance/db -n shop` does it',
    );
  });

  it('tells of a pod that is older than history only what its mark says', () => {
    const marked = (mark: string): AnyObject => {
      const made = pod('db-node-0', 'new', '2025-01-01T00:00:00Z');
      return { ...made, metadata: { ...made.metadata, annotations: { [annotations.planUid]: mark } } };
    };
    const reasonsOf = (mark: string) => portray(anInstance(atRest()), aroundWith(nodes, marked(mark))).pods[0]?.reasons;
    expect(reasonsOf('run-1')).toEqual([
      { when: 'did', sentence: 'made while plan deploy ran, because the Instance was created' },
    ]);
    expect(reasonsOf('run-0')).toEqual([]);
  });

  it('says when its version is not there, and then shows no values', () => {
    const status = atRest({ accepted: { operatorVersion: { name: 'db-1' }, parameters: { LEVEL: 'debug' } } });
    const { facts } = portray(anInstance(status), aroundWith());
    expect(facts).toContainEqual({ label: 'OperatorVersion', value: 'db-1 (not there: no plan can run)' });
    expect(facts).toContainEqual({ label: 'LEVEL', value: '(not shown)' });
  });

  it('keeps the order of history, and says what came of it', () => {
    const { history } = portray(anInstance(atRest()), aroundWith(aVersion()));
    expect(history).toEqual([
      {
        id: 'run-1',
        what: 'plan deploy',
        because: 'the Instance was created',
        outcome: 'COMPLETE',
        good: true,
        startedAt: began,
        endedAt: '2026-11-01T10:00:40Z',
        steps: [],
      },
    ]);
  });
});
