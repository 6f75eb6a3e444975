import { describe, expect, it } from 'vitest';
import type { InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion, OperatorVersionSpec } from '../resources/operator-version.ts';
import { covers } from './demand.ts';
import { type Beginning, begin, end } from './execution.ts';
import { executionUid } from './execution-uid.ts';

const step = (...tasks: string[]): NonNullable<NonNullable<OperatorVersionSpec['plans']>[string]['phases']> => [
  { name: 'main', strategy: 'serial', steps: [{ name: 'main', tasks }] },
];
const version = {
  apiVersion: 'kudo.dev/v1beta1',
  kind: 'OperatorVersion',
  metadata: { name: 'v' },
  spec: {
    tasks: [
      { name: 'all', kind: 'Apply', spec: { resources: ['config.yaml', 'nodes.yaml'] } },
      { name: 'nodes', kind: 'Apply', spec: { resources: ['nodes.yaml'] } },
      { name: 'extra', kind: 'Toggle', spec: { resources: ['extra.yaml'], parameter: 'X' } },
      { name: 'remove', kind: 'Delete', spec: { resources: ['config.yaml', 'nodes.yaml'] } },
      { name: 'job', kind: 'Apply', spec: { resources: ['job.yaml'] } },
    ],
    plans: {
      deploy: { phases: step('all') },
      update: { phases: step('all', 'extra') },
      scale: { phases: step('nodes') },
      backup: { phases: step('job') },
      wipe: { phases: step('remove') },
      nothing: {},
    },
  },
} as unknown as OperatorVersion;
const around = { instanceUid: 'i-1', generation: 1, version, now: Date.parse('2026-11-01T10:00:00Z') };
const accepted = { operatorVersion: { name: 'v' }, parameters: {} };

function beginning(plan: string, forced: boolean, more: Partial<Beginning> = {}): Beginning {
  return { plan, cause: 'parameters', changed: forced ? ['MODE'] : ['NODE_COUNT'], forced, accepted, ...more };
}

/** Begins and ends like this. */
function ran(
  status: InstanceStatus,
  plan: string,
  forced: boolean,
  outcome: 'COMPLETE' | 'FATAL_ERROR' | 'CANCELED',
  more: Partial<Beginning> = {},
): InstanceStatus {
  return end(begin(status, beginning(plan, forced, more), around), outcome, around.now, undefined, version);
}

const uid = (number: number): string => executionUid('i-1', number);

describe('the uid of an execution', () => {
  it('is a UUID, the same for the same Instance and number, and no other', () => {
    expect(uid(1)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uid(1)).toBe(executionUid('i-1', 1));
    expect(new Set([uid(1), uid(2), executionUid('i-2', 1), executionUid('i-2', 2)]).size).toBe(4);
  });
});

describe('what is known of the resources', () => {
  const ready = ({ conditions }: InstanceStatus) => conditions?.find(({ type }) => type === 'Ready')?.reason;

  it.each(['deploy', 'update', 'upgrade'])('is open while %s runs', (plan) => {
    expect(ready(begin({}, beginning(plan, false), around))).toBe('PlanInProgress');
  });

  it.each(['backup', 'cleanup'])('stays as it was while %s runs', (plan) => {
    const before = ran({}, 'deploy', true, 'COMPLETE');
    expect(begin(before, beginning(plan, false), around).conditions).toEqual(before.conditions);
  });
});

describe('an execution', () => {
  it('is written down with its cause before anything is done', () => {
    const status = begin({}, beginning('deploy', true), around);
    expect(status).toMatchObject({
      accepted,
      executions: 1,
      execution: {
        uid: uid(1),
        plan: 'deploy',
        cause: 'parameters',
        changed: ['MODE'],
        forced: true,
        restartUID: uid(1),
      },
      latest: { plan: 'deploy', status: 'IN_PROGRESS', restart: 'yes' },
      planStatus: { deploy: { status: 'IN_PROGRESS', uid: uid(1) }, scale: { status: 'NEVER_RUN' } },
    });
  });

  it('says at once that its first steps are in progress', () => {
    const status = begin({}, beginning('deploy', true), around);
    expect(status.planStatus?.deploy?.phases).toEqual([
      { name: 'main', status: 'IN_PROGRESS', steps: [{ name: 'main', status: 'IN_PROGRESS' }] },
    ]);
  });

  it('becomes history, the newest first and at most ten', () => {
    let status: InstanceStatus = {};
    for (let count = 0; count < 12; count++) status = ran(status, 'deploy', false, 'COMPLETE');
    expect(status.execution).toBeUndefined();
    expect(status.history).toHaveLength(10);
    expect(status.history?.map((past) => past.uid)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map(uid));
    expect(status.history?.[0]).not.toHaveProperty('shown');
  });

  it('that is superseded is told so, and its plan is over', () => {
    const first = begin({}, beginning('deploy', true), around);
    const second = begin(first, beginning('scale', false), around);
    expect(second.history?.[0]).toMatchObject({
      uid: uid(1),
      outcome: 'SUPERSEDED',
      message: 'plan scale took its place',
    });
    expect(second.planStatus?.deploy).toMatchObject({ status: 'FATAL_ERROR', message: 'plan scale took its place' });
    expect(second.planStatus?.scale).toMatchObject({ status: 'IN_PROGRESS', uid: uid(2) });
  });
});

describe('a demand for a restart', () => {
  it('is met by the plan that it began', () => {
    expect(ran({}, 'deploy', true, 'COMPLETE').restart).toBeUndefined();
  });

  it.each(['FATAL_ERROR', 'CANCELED'] as const)('survives %s, and the next quiet execution carries it', (outcome) => {
    const failed = ran({}, 'deploy', true, outcome);
    expect(failed.restart).toEqual({ uid: uid(1), plan: 'deploy', changed: ['MODE'] });
    const quiet = begin(failed, beginning('deploy', false), around);
    expect(quiet.execution).toMatchObject({ uid: uid(2), forced: false, restartUID: uid(1) });
    expect(end(quiet, 'COMPLETE', around.now, undefined, version).restart).toBeUndefined();
  });

  it('survives being superseded by a quiet change, which does not restart pods a second time', () => {
    const forced = begin({}, beginning('deploy', true), around);
    const quiet = begin(forced, beginning('deploy', false), around);
    expect(quiet.execution?.restartUID).toBe(uid(1));
  });

  it('is not met by a plan that does not apply what was demanded', () => {
    const failed = ran({}, 'deploy', true, 'FATAL_ERROR');
    expect(ran(failed, 'backup', false, 'COMPLETE').restart?.uid).toBe(uid(1));
    expect(ran(failed, 'scale', false, 'COMPLETE').restart?.uid).toBe(uid(1));
    expect(ran(failed, 'update', false, 'COMPLETE').restart).toBeUndefined();
  });

  it('of a later forced change takes the place of the earlier', () => {
    const failed = ran({}, 'deploy', true, 'FATAL_ERROR');
    expect(begin(failed, beginning('deploy', true), around).execution?.restartUID).toBe(uid(2));
  });

  it('is kept beside that of another plan, which does not apply what it asks for', () => {
    const failed = ran({}, 'update', true, 'FATAL_ERROR');
    const both = begin(failed, beginning('backup', true, { changed: ['TARGET'] }), around);
    expect(both.execution?.restartUID).toBe(uid(2));
    const earlier = [{ uid: uid(1), plan: 'update', changed: ['MODE'] }];
    expect(both.restart).toEqual({ uid: uid(2), plan: 'backup', changed: ['TARGET'], earlier });
    expect(end(both, 'COMPLETE', around.now, undefined, version).restart).toEqual(earlier[0]);
  });

  it('is not carried by a plan that does not apply all of it: pods would pass for restarted too early', () => {
    const failed = ran({}, 'deploy', true, 'FATAL_ERROR');
    const partly = begin(failed, beginning('scale', false), around);
    expect(partly.execution).not.toHaveProperty('restartUID');
    expect(partly.restart).toEqual(failed.restart);
  });

  it('becomes one with others that the same quiet plan carries out, under a mark that none of them has', () => {
    const one = ran({}, 'scale', true, 'FATAL_ERROR');
    const two = ran(one, 'backup', true, 'FATAL_ERROR', { changed: ['TARGET'] });
    const all = {
      ...version,
      spec: { ...version.spec, plans: { ...version.spec.plans, all: { phases: step('all', 'job') } } },
    };
    const quiet = begin(two, beginning('all', false), { ...around, version: all });
    expect(quiet.execution?.restartUID).toBe(uid(3));
    expect(quiet.restart).toEqual({ uid: uid(3), plan: 'all', changed: ['MODE', 'TARGET'] });
    const again = begin(quiet, beginning('all', false), { ...around, version: all });
    expect(again.execution?.restartUID).toBe(uid(3));
    expect(end(again, 'COMPLETE', around.now, undefined, all).restart).toBeUndefined();
  });

  it('is taken along by a manual trigger of the same plan, so that pods do not restart for it once more', () => {
    const failed = ran({}, 'deploy', true, 'FATAL_ERROR');
    const triggered = ran(failed, 'deploy', true, 'CANCELED', { cause: 'trigger', changed: [] });
    expect(triggered.restart).toEqual({ uid: uid(2), plan: 'deploy', changed: ['MODE'] });
  });

  it('of parameters changed with an upgrade survives a plan that does not apply them', () => {
    const upgrading = {
      ...version,
      spec: {
        ...version.spec,
        parameters: [{ name: 'MODE' }, { name: 'SIZE', trigger: 'deploy' }, { name: 'QUIET', forcePodRestart: false }],
        plans: {
          ...version.spec.plans,
          upgrade: { phases: step('job') },
          everything: { phases: step('all', 'extra') },
        },
      },
    } as unknown as OperatorVersion;
    const upgraded = (plan: string, changed: readonly string[]): InstanceStatus['restart'] => {
      const begun = begin({}, beginning(plan, true, { cause: 'upgrade', changed }), { ...around, version: upgrading });
      return end(begun, 'COMPLETE', around.now, undefined, upgrading).restart;
    };
    expect(upgraded('upgrade', ['MODE'])).toMatchObject({ plan: 'update', changed: ['MODE'] });
    expect(upgraded('upgrade', ['SIZE'])).toMatchObject({ plan: 'deploy', changed: ['SIZE'] });
    expect(upgraded('upgrade', ['QUIET'])).toBeUndefined();
    expect(upgraded('everything', ['MODE', 'SIZE'])).toBeUndefined();
  });

  it('is left to others by a repair, which never restarts anything', () => {
    const failed = ran({}, 'deploy', true, 'FATAL_ERROR');
    const repair = begin(failed, beginning('deploy', false, { cause: 'repair', changed: [] }), around);
    expect(repair.execution).not.toHaveProperty('restartUID');
    expect(repair.latest?.restart).toBe('no');
    expect(end(repair, 'COMPLETE', around.now, undefined, version).restart).toEqual(failed.restart);
  });

  it('of a plan that applies nothing is none: there are no pods that it could be owed to', () => {
    const hung = begin({}, beginning('nothing', true), around);
    expect(hung.execution?.restartUID).toBe(uid(1));
    expect(hung.restart).toBeUndefined();
  });

  it('of a manual trigger ends with its own execution, and leaves another demand alone', () => {
    const trigger = { cause: 'trigger', changed: [] } as const;
    const failed = ran({}, 'deploy', true, 'FATAL_ERROR', trigger);
    expect(failed.restart).toBeUndefined();
    const demanded = ran({}, 'deploy', true, 'FATAL_ERROR');
    const triggered = begin(demanded, beginning('backup', true, trigger), around);
    expect(triggered.execution?.restartUID).toBe(uid(2));
    expect(triggered.restart?.uid).toBe(uid(1));
  });

  it.each([
    ['deploy', 'deploy', true],
    ['update', 'deploy', true],
    ['deploy', 'update', false],
    ['scale', 'deploy', false],
    ['deploy', 'scale', true],
    ['wipe', 'deploy', false],
    ['deploy', 'nothing', true],
    ['deploy', 'absent', true],
    ['scale', 'absent', false],
    ['absent', 'absent', true],
  ])('%s does what was demanded of %s: %s', (plan, demanded, does) => {
    expect(covers(version, plan, demanded)).toBe(does);
  });
});
