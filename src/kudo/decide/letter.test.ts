import { describe, expect, it } from 'vitest';
import type { Instance, InstanceStatus, PlanExecution } from '../resources/instance.ts';
import { executionUid } from './execution-uid.ts';
import { isDealtWith, readLetter } from './letter.ts';

function written(planExecution: PlanExecution | null | undefined, status?: InstanceStatus): Instance {
  const spec = { operatorVersion: { name: 'v' }, ...(planExecution !== undefined && { planExecution }) };
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: {},
    spec,
    ...(status && { status }),
  } as Instance;
}

const running = (shown?: boolean): InstanceStatus => ({
  execution: { uid: 'ours', plan: 'deploy', cause: 'install', forced: true, startedAt: 'T', ...(shown && { shown }) },
});
const past: InstanceStatus = {
  history: [
    { uid: 'old', plan: 'deploy', cause: 'install', forced: true, startedAt: 'T', endedAt: 'T', outcome: 'COMPLETE' },
  ],
};

describe('a letter in spec.planExecution', () => {
  it.each([
    ['nothing at all', written(undefined)],
    ['an empty one', written({})],
    ['null', written(null)],
    ['a blank name while nothing runs', written({ planName: '' }, past)],
    ['what we wrote while it runs', written({ planName: 'deploy', uid: 'ours' }, running(true))],
    ['what we wrote, after it ended', written({ planName: 'deploy', uid: 'old' }, past)],
    ['a blank before we wrote there', written({}, running())],
    ['what was dealt with', written({ planName: 'backup', uid: 'x' }, { letter: { planName: 'backup', uid: 'x' } })],
  ])('asks for nothing: %s', (_, instance) => {
    expect(readLetter(instance)).toEqual({ is: 'none' });
  });

  it('asks for a plan', () => {
    expect(readLetter(written({ planName: 'backup' }))).toEqual({ is: 'run', plan: 'backup', override: false });
    expect(readLetter(written({ planName: 'deploy', uid: 'new' }, running(true)))).toEqual({
      is: 'run',
      plan: 'deploy',
      uid: 'new',
      override: false,
    });
    expect(readLetter(written({ planName: 'backup', override: true }, running()))).toMatchObject({ override: true });
  });

  it('asks for another plan though our uid still stands beside it', () => {
    const asked = { planName: 'scale', uid: 'ours' };
    expect(readLetter(written(asked, running(true)))).toMatchObject({ is: 'run', plan: 'scale' });
    expect(readLetter(written({ planName: 'scale', uid: 'old' }, past))).toMatchObject({ is: 'run', plan: 'scale' });
  });

  it('asks for the same plan again, once the first letter is gone', () => {
    const status = { letter: { planName: 'backup', uid: 'x' } };
    expect(readLetter(written({ planName: 'backup', uid: 'y' }, status))).toMatchObject({ is: 'run', uid: 'y' });
    expect(readLetter(written({ planName: 'other', uid: 'x' }, status))).toMatchObject({ is: 'run', plan: 'other' });
  });

  it('cancels, when it is blanked after we wrote there', () => {
    expect(readLetter(written({}, running(true)))).toEqual({ is: 'cancel' });
    expect(readLetter(written({ planName: '', uid: 'ours' }, running(true)))).toEqual({ is: 'cancel' });
    expect(readLetter(written(undefined, running(true)))).toEqual({ is: 'cancel' });
  });

  it('cancels by the uid of what runs, also before we wrote there', () => {
    expect(readLetter(written({ planName: '', uid: 'ours' }, running()))).toEqual({ is: 'cancel' });
    expect(readLetter(written({ planName: '', uid: 'other' }, running()))).toEqual({ is: 'none' });
  });

  it('of an execution that history has forgotten asks for nothing', () => {
    const old = { planName: 'deploy', uid: executionUid('i-1', 3) };
    const instance = written(old, { executions: 40 });
    expect(readLetter({ ...instance, metadata: { uid: 'i-1' } })).toEqual({ is: 'none' });
    expect(readLetter({ ...instance, metadata: { uid: 'i-2' } })).toMatchObject({ is: 'run' });
    expect(readLetter({ ...instance, metadata: { uid: 'i-1' }, status: { executions: 2 } })).toMatchObject({
      is: 'run',
    });
  });

  it('is read in no time, however many executions the status claims', () => {
    const asked = { planName: 'deploy', uid: 'ffffffff-ffff-8fff-8fff-ffffffffffff' };
    const instance = { ...written(asked, { executions: Number.MAX_SAFE_INTEGER }), metadata: { uid: 'i-1' } };
    const began = performance.now();
    expect(readLetter(instance)).toMatchObject({ is: 'run', plan: 'deploy' });
    expect(performance.now() - began).toBeLessThan(1000);
  });

  it('of an execution that is remembered asks for another plan, if somebody changed its name', () => {
    const uid = executionUid('i-1', 3);
    const { execution } = running(true);
    const [ended] = past.history ?? [];
    const runs = { executions: 3, ...(execution && { execution: { ...execution, uid } }) };
    const ran = { executions: 3, ...(ended && { history: [{ ...ended, uid }] }) };
    for (const status of [runs, ran]) {
      const instance = { ...written({ planName: 'scale', uid }, status), metadata: { uid: 'i-1' } };
      expect(readLetter(instance)).toMatchObject({ is: 'run', plan: 'scale' });
    }
  });

  it('is dealt with for as long as it says the same', () => {
    const status = { letter: { planName: 'backup' } };
    expect(isDealtWith(written({ planName: 'backup' }, status))).toBe(true);
    expect(isDealtWith(written({ planName: 'backup', uid: 'x' }, status))).toBe(false);
    expect(isDealtWith(written({}, status))).toBe(false);
    expect(isDealtWith(written({ planName: 'backup' }))).toBe(false);
  });
});
