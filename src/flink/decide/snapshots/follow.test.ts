import { describe, expect, it } from 'vitest';
import type { Outcomes } from '../../../control/outcome.ts';
import type { Checkpoints, Operation, Rest } from '../../rest.ts';
import { type Followed, follow } from './follow.ts';

const at = 1_000_000;
const id = 'a'.repeat(32);

const nobody: Rest = {
  asked: true,
  trouble: undefined,
  jobs: undefined,
  version: undefined,
  taskManagers: undefined,
  job: {
    checkpoints: undefined,
    exceptions: undefined,
    failure: undefined,
    metrics: undefined,
    requirements: undefined,
  },
  operations: {},
};

function followed(
  seconds: number,
  told: {
    operation?: Operation;
    checkpoints?: Partial<Checkpoints>;
    outcomes?: Outcomes;
    of?: 'savepoint' | 'checkpoint';
    /** How long before the operation the list of checkpoints was told. */
    older?: number;
    rest?: Partial<Rest>;
  },
): Followed {
  const now = at + seconds * 1000;
  const none = { last: undefined, lastCompleted: undefined, lastSavepoint: undefined, inProgress: undefined };
  const checkpoints = { ...none, counts: { completed: 0, failed: 0 }, ...told.checkpoints };
  const rest: Rest = {
    ...nobody,
    ...told.rest,
    operations: told.operation ? { [id]: { at: now, value: told.operation } } : {},
    job: {
      ...nobody.job,
      checkpoints: told.checkpoints ? { at: now - (told.older ?? 0), value: checkpoints } : undefined,
    },
  };
  return follow({ id, of: told.of ?? 'savepoint', at }, { now, outcomes: told.outcomes ?? {}, rest });
}

const seen = (number: number, triggeredAt: number, path?: string) => ({ id: number, path, triggeredAt, sizeBytes: 1 });
const failure = { at, since: at, of: '', message: 'no' };
const done = { result: 'done', at: at + 1000, since: at, value: null } as const;

describe('a trigger', () => {
  it.each<[string, Followed['is'], Followed]>([
    ['in progress', 'waiting', followed(1, { operation: { is: 'in progress' } })],
    ['failed', 'failed', followed(1, { operation: { is: 'failed', message: 'no' } })],
    ['refused by the port', 'failed', followed(1, { outcomes: { [id]: { ...failure, result: 'refused' } } })],
    ['without an answer', 'unsent', followed(1, { outcomes: { [id]: { ...failure, result: 'unavailable' } } })],
    ['not asked about yet', 'waiting', followed(1, {})],
    [
      'of a process that died, not known to Flink, while it may still arrive',
      'waiting',
      followed(29, { operation: { is: 'unknown' } }),
    ],
    [
      'of a process that died, before the checkpoints were looked at',
      'waiting',
      followed(31, { operation: { is: 'unknown' } }),
    ],
    [
      'of a process that died, without a newer savepoint',
      'lost',
      followed(31, { operation: { is: 'unknown' }, checkpoints: {} }),
    ],
    [
      'of a process that died, of a job without any list of checkpoints',
      'lost',
      followed(90, { operation: { is: 'unknown' } }),
    ],
    [
      'that arrived and was forgotten, without a newer savepoint',
      'lost',
      followed(2, {
        operation: { is: 'unknown' },
        checkpoints: { lastSavepoint: seen(1, at - 1, 's3://old') },
        outcomes: { [id]: done },
      }),
    ],
  ])('%s is %s', (_, expected, result) => {
    expect(result.is).toBe(expected);
  });

  it('that is lost says whether Flink had it', () => {
    const unknown = { operation: { is: 'unknown' }, checkpoints: {} } as const;
    expect(followed(31, unknown)).toEqual({ is: 'lost', had: false });
    expect(followed(31, { ...unknown, outcomes: { [id]: done } })).toEqual({ is: 'lost', had: true });
  });

  it('is looked at again at a time to come, as long as only time will tell', () => {
    for (const seconds of [1, 29, 31, 60]) {
      const result = followed(seconds, { operation: { is: 'unknown' } });
      expect(result).toMatchObject({ is: 'waiting' });
      expect(result.is === 'waiting' && result.wakeAt).toBeGreaterThan(at + seconds * 1000);
    }
  });

  it('is done where Flink says', () => {
    expect(followed(1, { operation: { is: 'done', location: 's3://a' } })).toEqual({ is: 'done', path: 's3://a' });
  });

  it('that was forgotten is found among the checkpoints', () => {
    const result = followed(60, {
      operation: { is: 'unknown' },
      checkpoints: { lastSavepoint: seen(7, at + 5, 's3://b') },
    });
    expect(result).toEqual({ is: 'done', path: 's3://b' });
  });

  describe('that was forgotten, and whose list of checkpoints did not come with that', () => {
    const unknown = { operation: { is: 'unknown' } } as const;
    const trouble = { kind: 'unreachable', message: 'no', since: at, at } as const;

    it('is not looked for in an older list: it may have been taken since', () => {
      expect(followed(600, { ...unknown, checkpoints: {}, older: 500_000 }).is).toBe('waiting');
    });

    it('is not looked for in a list from before somebody set the clock back', () => {
      expect(followed(20, { ...unknown, checkpoints: {}, older: -3_600_000 }).is).toBe('waiting');
    });

    it('is not lost while Flink is in trouble', () => {
      expect(followed(600, { ...unknown, rest: { trouble } }).is).toBe('waiting');
    });

    it('is looked for in the list of a job that has ended, which is as new as the job', () => {
      const rest = { jobs: { at: at + 600_000 - 5, value: [] } };
      const checkpoints = { lastSavepoint: seen(7, at + 5, 's3://b') };
      expect(followed(600, { ...unknown, checkpoints, older: 5, rest })).toEqual({ is: 'done', path: 's3://b' });
    });
  });

  it('does not take a checkpoint for the savepoint that it asked for', () => {
    const result = followed(60, {
      operation: { is: 'unknown' },
      checkpoints: { lastCompleted: seen(7, at + 5, 's3://b') },
    });
    expect(result.is).toBe('lost');
  });

  describe('of a checkpoint', () => {
    const operation = { is: 'done', checkpointId: 3 } as const;
    it('is looked up by its number', () => {
      const result = followed(1, {
        of: 'checkpoint',
        operation,
        checkpoints: { lastCompleted: seen(3, at, 's3://chk-3') },
      });
      expect(result).toEqual({ is: 'done', path: 's3://chk-3' });
    });

    it('waits for the list', () => {
      expect(followed(1, { of: 'checkpoint', operation }).is).toBe('waiting');
    });

    it('is done without a path when it has none that can be addressed', () => {
      const result = followed(1, { of: 'checkpoint', operation, checkpoints: { lastCompleted: seen(3, at) } });
      expect(result).toEqual({ is: 'done' });
    });

    it('is done without a path when a newer one has taken its place', () => {
      const result = followed(1, {
        of: 'checkpoint',
        operation,
        checkpoints: { lastCompleted: seen(4, at, 's3://chk-4') },
      });
      expect(result).toEqual({ is: 'done' });
    });
  });
});
