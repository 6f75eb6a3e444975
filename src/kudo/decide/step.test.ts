import { describe, expect, it } from 'vitest';
import { stamped } from '../../control/actions/apply.ts';
import { outcomeId } from '../../control/outcome.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Place } from '../render/place.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { workOn } from './step.ts';
import type { Surroundings } from './task/run.ts';
import type { TaskWork } from './task/work.ts';
import { thingId } from './view.ts';

const place: Place = {
  instance: { name: 'one', namespace: 'default', uid: 'i-1' },
  operatorVersion: { metadata: { name: 'v' }, spec: {} } as OperatorVersion,
  parameters: {},
  plan: 'deploy',
  phase: 'main',
  step: 'all',
  pipes: {},
};
const config: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one-config' } };
const apply: TaskWork = { name: 'config', place, does: 'apply', objects: [config], warnings: [] };
const fatal: TaskWork = { name: 'broken', place, does: 'dummy', wantErr: true, fatal: true, done: false };
const id = thingId({ apiVersion: 'v1', kind: 'ConfigMap', name: 'one-config' });

function around(more: Partial<Surroundings> = {}): Surroundings {
  const world = { [id]: { is: 'known', namespaced: true, watched: true } } as const;
  return { world, outcomes: {}, now: 0, restarting: { executionUid: 'e-1' }, ...more };
}

const step = (...tasks: TaskWork[]) => ({ phase: 'main', step: 'all', tasks });

describe('a task that fails for good', () => {
  it('lets what is before it be sent first', () => {
    const { news, actions, failure } = workOn(step(apply, fatal), around());
    expect(news.status).toBe('IN_PROGRESS');
    expect(actions.map((action) => action.do)).toEqual(['apply']);
    expect(failure).toBeUndefined();
  });

  it('fails the step once that was sent', () => {
    const [sent] = workOn(step(apply), around()).actions;
    if (sent?.do !== 'apply') throw new Error('nothing was applied');
    const { metadata, ...rest } = stamped(sent.object);
    const object = { ...rest, metadata: { ...metadata, uid: 'c-1', resourceVersion: '1' } };
    const world = { [id]: { is: 'known', namespaced: true, watched: true, object } } as const;
    const { news } = workOn(step(apply, fatal), around({ world }));
    expect(news).toMatchObject({ status: 'FATAL_ERROR', message: expect.stringContaining('deploy.main.all.broken') });
  });

  it('waits for nothing that is refused', () => {
    const [sent] = workOn(step(apply), around()).actions;
    if (!sent) throw new Error('nothing was sent');
    const refused = { result: 'refused', message: 'no', at: 0, since: 0, of: '' } as const;
    const { news, actions } = workOn(step(apply, fatal), around({ outcomes: { [outcomeId(sent)]: refused } }));
    expect(news.status).toBe('FATAL_ERROR');
    expect(actions).toEqual([]);
  });

  it('keeps back what is behind it', () => {
    const { news, actions, applied } = workOn(step(fatal, apply), around());
    expect(news.status).toBe('FATAL_ERROR');
    expect({ actions, applied }).toEqual({ actions: [], applied: [] });
  });
});

it.each([true, false])(
  'what a task says in a million words is cut, so that the status can be written (fatal: %s)',
  (last) => {
    const failure = { reason: 'TaskRenderingError', message: `beginning ${'x'.repeat(1 << 20)}`, fatal: last } as const;
    const { news, failure: told } = workOn(step({ name: 'wordy', place, does: 'fail', failure }), around());
    expect(news.message).toContain('deploy.main.all.wordy');
    expect(news.message).toContain('beginning');
    expect(news.message?.length).toBeLessThan(5000);
    expect(told?.message.length).toBeLessThan(5000);
  },
);
