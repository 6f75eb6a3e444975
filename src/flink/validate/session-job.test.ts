import { describe, expect, it } from 'vitest';
import { type Edits, type Example, edited, expectRefusal, operator, session, sessionJob } from './example.fixture.ts';
import { type SessionJobContext, sessionJobRules, validateSessionJob } from './session-job.ts';

const conf = (key: string): string => `spec.flinkConfiguration[${key}]`;
const operatorKey = (key: string): string => conf(`kubernetes.operator.${key}`);
const recorded = sessionJob.spec;
const inSession = { session };
const withDirectories = {
  session: edited(session, {
    [conf('state.checkpoints.dir')]: 's3://b/cp',
    [conf('state.savepoints.dir')]: 's3://b/sp',
  }),
};
const savepoints: Edits = { [conf('state.savepoints.dir')]: 's3://b/sp' };

const examples: Readonly<Record<string, Example<SessionJobContext>>> = {
  'session-name': {
    refused: { 'spec.deploymentName': 'Pool' },
    accepted: { 'spec.deploymentName': 'pool' },
    value: 'Pool',
    says: 'Write the name of a FlinkDeployment in the same namespace',
  },
  'session-job': {
    refused: { 'spec.job': undefined },
    accepted: { 'spec.job': { parallelism: 1 } },
    value: 'absent',
    says: 'at least jarURI and parallelism',
  },
  'session-name-change': {
    context: { recorded },
    refused: { 'spec.deploymentName': 'other' },
    accepted: { 'spec.deploymentName': 'pool' },
    value: '"other", and the job is in "pool"',
    says: 'under another name',
  },
  'artifact-uri': {
    refused: { 'spec.job.jarURI': 'https://169.254.169.254/a.jar' },
    accepted: { 'spec.job.jarURI': 'https://repo.example.com/a.jar' },
    value: 'https://169.254.169.254/a.jar',
    says: 'use a public host',
  },
  'session-is-application': {
    refused: {},
    accepted: {},
    context: { session: edited(session, { 'spec.job': { jarURI: 'local:///a.jar', parallelism: 1 } }) },
    value: '"pool"',
    says: 'Name a FlinkDeployment without spec.job',
  },
  'session-is-another': {
    context: inSession,
    refused: { 'spec.deploymentName': 'other' },
    accepted: { 'spec.deploymentName': 'pool' },
    value: '"other"',
    says: 'Write the name of the cluster',
  },
  'checkpoint-directory': {
    context: inSession,
    with: { 'spec.job.upgradeMode': 'last-state' },
    refused: {},
    accepted: { [conf('execution.checkpointing.dir')]: 's3://b/cp' },
    value: 'last-state',
    says: 'Write "execution.checkpointing.dir: s3://…"',
  },
  'savepoint-upgrade-directory': {
    context: inSession,
    with: { 'spec.job.upgradeMode': 'savepoint', [conf('state.checkpoints.dir')]: 's3://b/cp' },
    refused: {},
    accepted: savepoints,
    value: 'is savepoint',
    says: 'or another upgradeMode',
  },
  'savepoint-trigger-directory': {
    context: inSession,
    with: { 'spec.job.savepointTriggerNonce': 5 },
    refused: {},
    accepted: savepoints,
    value: 'is 5',
    says: 'or remove the nonce',
  },
  'periodic-savepoint-directory': {
    context: inSession,
    with: { [operatorKey('periodic.savepoint.interval')]: '1 h' },
    refused: {},
    accepted: savepoints,
    value: '"1 h"',
    says: 'or remove the interval',
  },
  'checkpoint-age-directory': {
    context: inSession,
    with: { [operatorKey('job.upgrade.last-state.max.allowed.checkpoint.age')]: '5 min' },
    refused: {},
    accepted: savepoints,
    value: '"5 min"',
    says: 'or remove the age',
  },
  'job-parallelism': {
    refused: { 'spec.job.parallelism': -1 },
    accepted: { 'spec.job.parallelism': 3 },
    value: 'is -1',
    says: 'Write 1 or more',
  },
  'autoscaler-range': {
    context: inSession,
    with: { [conf('job.autoscaler.enabled')]: 'true' },
    refused: { [conf('job.autoscaler.utilization.max')]: '0.5' },
    accepted: { [conf('job.autoscaler.utilization.max')]: '0.8' },
    field: conf('job.autoscaler.utilization.max'),
    value: '"0.5"',
    says: 'within the range [0.7, 1.0]',
  },
  'autoscaler-excluded-periods': {
    context: inSession,
    with: { [conf('job.autoscaler.enabled')]: 'true' },
    refused: { [conf('job.autoscaler.excluded.periods')]: 'nights' },
    accepted: { [conf('job.autoscaler.excluded.periods')]: '0:00-6:00' },
    value: '"nights"',
    says: 'Write for example "9:30-10:30"',
  },
  'autoscaler-window': {
    context: inSession,
    with: { [conf('job.autoscaler.enabled')]: 'true' },
    refused: { [conf('job.autoscaler.metrics.window')]: 'long' },
    accepted: { [conf('job.autoscaler.metrics.window')]: '1 min' },
    value: '"long"',
    says: 'which is no duration',
  },
  'savepoint-redeploy-path': {
    context: { recorded },
    with: { 'spec.job.savepointRedeployNonce': 1 },
    refused: {},
    accepted: { 'spec.job.initialSavepointPath': 's3://b/sp/1' },
    value: 'savepointRedeployNonce is 1 (none was acted upon yet)',
    says: 'statelessRedeployNonce starts without state',
  },
  'one-redeploy-at-a-time': {
    context: { recorded },
    with: { 'spec.job.savepointRedeployNonce': 1, 'spec.job.initialSavepointPath': 's3://b/sp/1' },
    refused: { 'spec.job.statelessRedeployNonce': 2 },
    accepted: {},
    value: 'statelessRedeployNonce is 2',
    says: 'Change only the one you mean',
  },
  'configuration-value': {
    refused: { [operatorKey('job.restart.failed')]: 'maybe' },
    accepted: { [operatorKey('job.restart.failed')]: 'TRUE' },
    field: operatorKey('job.restart.failed'),
    value: '"maybe"',
    says: 'not a boolean',
  },
  'task-slots': {
    refused: { [conf('taskmanager.numberOfTaskSlots')]: '-1' },
    accepted: { [conf('taskmanager.numberOfTaskSlots')]: '1' },
    value: '"-1"',
    says: 'Write 1 or more',
  },
  'periodic-savepoints': {
    refused: { [operatorKey('periodic.savepoint.interval')]: 'hourly' },
    accepted: { [operatorKey('periodic.savepoint.interval')]: '1 h' },
    value: '"hourly"',
    says: 'Write for example "1 h"',
  },
  'periodic-checkpoints': {
    refused: { [operatorKey('periodic.checkpoint.interval')]: 'hourly' },
    accepted: { [operatorKey('periodic.checkpoint.interval')]: '1 h' },
    value: '"hourly"',
    says: 'Write for example "1 h"',
  },
  'initial-savepoint-path': {
    refused: { 'spec.job.initialSavepointPath': ' KUBERNETES_OPERATOR_LAST_STATE' },
    accepted: { 'spec.job.initialSavepointPath': 's3://b/KUBERNETES_OPERATOR_LAST_STATE' },
    value: '" KUBERNETES_OPERATOR_LAST_STATE"',
    says: 'Write the path of a savepoint',
  },
};

function judge(example: Example<SessionJobContext>, edits: Edits, context: Partial<SessionJobContext> = {}) {
  const resource = edited(sessionJob, { ...example.with, ...edits });
  return validateSessionJob(resource, { operator, ...example.context, ...context });
}

describe('every rule for a FlinkSessionJob', () => {
  it('has an example', () => {
    expect(Object.keys(examples)).toEqual(sessionJobRules.map(({ rule }) => rule));
  });

  it.each(sessionJobRules.map(({ rule, field }) => [rule, field]))(
    '%s refuses with field, value and way out',
    (rule, field) => {
      const example = examples[rule] as Example<SessionJobContext>;
      expectRefusal(judge(example, example.refused), rule, example, field);
    },
  );

  it.each(Object.entries(examples))('%s accepts what is next to it', (rule, example) => {
    const context = rule === 'session-is-application' ? inSession : {};
    expect(judge(example, example.accepted, context)).toEqual([]);
  });
});

describe('a session job', () => {
  it('inherits the directories of its session', () => {
    const job = edited(sessionJob, { 'spec.job.upgradeMode': 'savepoint' });
    expect(validateSessionJob(job, { operator, ...withDirectories })).toEqual([]);
    expect(validateSessionJob(job, { operator, ...inSession })).toHaveLength(2);
  });

  it('is not judged by a session that nobody knows', () => {
    const job = edited(sessionJob, { 'spec.job.upgradeMode': 'savepoint' });
    expect(validateSessionJob(job, { operator })).toEqual([]);
  });

  it('cannot allow itself what only the operator allows', () => {
    const allow = 'kubernetes.operator.user.artifacts.allowed-schemes';
    const job = edited(sessionJob, { 'spec.job.jarURI': 's3://b/a.jar', [conf(allow)]: 's3' });
    expect(validateSessionJob(job, { operator }).map(({ rule }) => rule)).toEqual(['artifact-uri']);
    expect(validateSessionJob(job, { operator: { ...operator, settings: { [allow]: 'https;S3' } } })).toEqual([]);
  });
});
