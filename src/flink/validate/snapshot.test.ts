import { describe, expect, it } from 'vitest';
import { deployment, type Edits, type Example, edited, expectRefusal, session, snapshot } from './example.fixture.ts';
import { type SnapshotContext, snapshotRules, validateSnapshot } from './snapshot.ts';

const examples: Readonly<Record<string, Example<SnapshotContext>>> = {
  'snapshot-job-reference': {
    refused: { 'spec.jobReference.name': undefined },
    accepted: { 'spec.jobReference': undefined, 'spec.savepoint': { alreadyExists: true, path: 's3://b/sp/1' } },
    value: 'spec.jobReference.name is absent',
    says: 'FlinkDeployment or FlinkSessionJob',
  },
  'snapshot-job': {
    context: { job: 'absent' },
    refused: {},
    accepted: { 'status.state': 'IN_PROGRESS' },
    value: 'FlinkDeployment/orders',
    says: 'Create the job first',
  },
  'snapshot-of-session': {
    context: { job: session },
    refused: {},
    accepted: { 'spec.savepoint': { alreadyExists: true, path: 's3://b/sp/1' } },
    value: '"orders"',
    says: 'Write kind FlinkSessionJob',
  },
  'snapshot-path': {
    refused: { 'spec.savepoint.alreadyExists': true },
    accepted: { 'spec.savepoint': { alreadyExists: true, path: 's3://b/sp/1' } },
    value: 'absent',
    says: 'Write where the savepoint lies',
  },
  'snapshot-backoff-limit': {
    refused: { 'spec.backoffLimit': -2 },
    accepted: { 'spec.backoffLimit': -1 },
    value: 'is -2',
    says: '-1 for without limit',
  },
};

function judge({ context }: Example<SnapshotContext>, edits: Edits) {
  const resource = edited(snapshot, edits);
  return validateSnapshot(resource, { job: deployment, ...context });
}

describe('every rule for a FlinkStateSnapshot', () => {
  it('has an example', () => {
    expect(Object.keys(examples)).toEqual(snapshotRules.map(({ rule }) => rule));
  });

  it.each(snapshotRules.map(({ rule, field }) => [rule, field]))(
    '%s refuses with field, value and way out',
    (rule, field) => {
      const example = examples[rule] as Example<SnapshotContext>;
      expectRefusal(judge(example, example.refused), rule, example, field);
    },
  );

  it.each(Object.entries(examples))('%s accepts what is next to it', (_rule, example) => {
    expect(judge(example, example.accepted)).toEqual([]);
  });

  it('wants exactly one of savepoint and checkpoint, and says so', () => {
    const both = validateSnapshot(edited(snapshot, { 'spec.checkpoint': {} }), { job: deployment });
    expect(both.map(({ message }) => message)).toEqual([
      expect.stringContaining('exactly one of savepoint and checkpoint must be given: write "savepoint: {}"'),
    ]);
    expect(validateSnapshot(edited(snapshot, { 'spec.savepoint': undefined }), { job: deployment })).toHaveLength(1);
  });

  it('needs no job for a savepoint that exists', () => {
    const found = edited(snapshot, { 'spec.savepoint': { alreadyExists: true, path: 's3://b/sp/1' } });
    expect(validateSnapshot(found, { job: 'absent' })).toEqual([]);
  });

  it('concludes nothing from a job that was not looked up', () => {
    expect(validateSnapshot(snapshot, { job: 'unknown' })).toEqual([]);
  });
});
