import { describe, expect, it } from 'vitest';
import type { Instance, InstanceStatus, PastExecution } from '../resources/instance.ts';
import { failureOf, type Mark, markOf, progressSince, settling } from './progress.ts';

const accepted = { operatorVersion: { name: 'a-1' }, parameters: { A: '1' } };
const at = '2030-01-01T00:00:00Z';
const begun = (plan: string, uid: string) => ({ uid, plan, cause: 'trigger', forced: true, startedAt: at }) as const;
const ended = (plan: string, uid: string, outcome: PastExecution['outcome']): PastExecution => ({
  ...begun(plan, uid),
  endedAt: at,
  outcome,
});
const condition = (type: string, status: 'True' | 'False') => ({
  type,
  status,
  reason: 'Because',
  message: 'words',
  lastTransitionTime: at,
});

function instance(status: InstanceStatus, generation = 2): Instance {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'one', generation },
    spec: { operatorVersion: { name: 'a-1' }, parameters: { A: '1' } },
    status: { observedGeneration: generation, accepted, ...status },
  };
}

const change: Mark = { generation: 2, known: ['old'] };
const trigger: Mark = { ...change, plan: 'backup' };

describe('progress since a mark', () => {
  it.each<[string, Mark, InstanceStatus, object]>([
    ['the operator has not looked yet', change, { observedGeneration: 1 }, { state: 'unseen' }],
    [
      'the old execution still runs',
      change,
      { execution: begun('deploy', 'old') },
      { state: 'waiting', message: 'plan deploy is running' },
    ],
    [
      'it says why it waits',
      change,
      { execution: begun('deploy', 'old'), conditions: [condition('Waiting', 'True')] },
      { state: 'waiting', message: 'words' },
    ],
    [
      'a new execution runs',
      change,
      { execution: begun('deploy', 'new') },
      { state: 'running', execution: begun('deploy', 'new') },
    ],
    [
      'it was refused',
      change,
      { conditions: [condition('Accepted', 'False')] },
      { state: 'refused', message: 'words' },
    ],
    ['nothing differs', change, {}, { state: 'idle', accepted: true }],
    [
      'nothing runs, but it is not accepted either',
      change,
      { accepted: { ...accepted, parameters: { A: '0' } } },
      { state: 'idle', accepted: false },
    ],
    [
      'it has ended',
      change,
      { history: [ended('deploy', 'new', 'COMPLETE')] },
      { state: 'ended', past: ended('deploy', 'new', 'COMPLETE') },
    ],
    [
      'only older executions have ended',
      change,
      { history: [ended('deploy', 'old', 'FATAL_ERROR')] },
      { state: 'idle', accepted: true },
    ],
    [
      'it waits, though something else was refused',
      change,
      { execution: begun('deploy', 'old'), conditions: [condition('Accepted', 'False'), condition('Waiting', 'True')] },
      { state: 'waiting', message: 'words' },
    ],
    [
      'it was superseded, and goes on in what superseded it',
      change,
      { execution: begun('deploy', 'newer'), history: [ended('deploy', 'new', 'SUPERSEDED')] },
      { state: 'running', execution: begun('deploy', 'newer') },
    ],
    [
      'it was superseded by what has ended',
      change,
      { history: [ended('deploy', 'newer', 'COMPLETE'), ended('deploy', 'new', 'SUPERSEDED')] },
      { state: 'ended', past: ended('deploy', 'newer', 'COMPLETE') },
    ],
    [
      'the first end counts, not a later one',
      change,
      { history: [ended('deploy', 'newer', 'COMPLETE'), ended('deploy', 'new', 'FATAL_ERROR')] },
      { state: 'ended', past: ended('deploy', 'new', 'FATAL_ERROR') },
    ],
    [
      'a plan that was asked for by name has ended when it was superseded',
      trigger,
      { execution: begun('deploy', 'newer'), history: [ended('backup', 'new', 'SUPERSEDED')] },
      { state: 'ended', past: ended('backup', 'new', 'SUPERSEDED') },
    ],
    [
      'another new plan runs first',
      trigger,
      { execution: begun('deploy', 'new') },
      { state: 'waiting', message: 'plan deploy is running' },
    ],
  ])('when %s', (_, mark, status, progress) => {
    expect(progressSince(mark, instance(status))).toEqual(progress);
  });

  it('starts from what the server answered to the write', () => {
    const answered = instance({ execution: begun('deploy', 'a'), history: [ended('deploy', 'b', 'COMPLETE')] }, 7);
    expect(markOf(answered)).toEqual({ generation: 7, known: ['a', 'b'] });
    expect(markOf(answered, 'backup').plan).toBe('backup');
  });
});

describe('settling', () => {
  it('believes at once that nothing happens when the spec is accepted, else after four looks in a row', () => {
    expect(settling()({ state: 'idle', accepted: true })).toBe(true);
    const isSettled = settling();
    const idle = { state: 'idle', accepted: false } as const;
    expect([isSettled(idle), isSettled(idle), isSettled(idle), isSettled({ state: 'unseen' })]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([isSettled(idle), isSettled(idle), isSettled(idle), isSettled(idle)]).toEqual([false, false, false, true]);
  });
});

describe('the reason of a failure', () => {
  const status = (message?: string): InstanceStatus => ({
    latest: { plan: 'deploy', status: 'FATAL_ERROR', restart: 'no' },
    planStatus: {
      deploy: {
        status: 'FATAL_ERROR',
        phases: [
          {
            name: 'p',
            steps: [
              { name: 'ok', status: 'COMPLETE', message: 'fine' },
              { name: 's', status: 'FATAL_ERROR', ...(message && { message }) },
            ],
          },
        ],
      },
    },
  });

  it('is that of the step, else that of the execution', () => {
    expect(failureOf(instance(status('no room')), { plan: 'deploy', message: 'other' })).toBe('step p.s: no room');
    expect(failureOf(instance(status()), { plan: 'deploy', message: 'other' })).toBe('other');
    expect(failureOf(instance(status('no room')), { plan: 'backup' })).toBe('no reason was given');
  });
});
