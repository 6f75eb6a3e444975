import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { type DeploymentContext, deploymentRules, validateDeployment } from './deployment.ts';
import { deployment, type Edits, type Example, edited, expectRefusal, operator } from './example.fixture.ts';

const recorded: FlinkDeploymentSpec = deployment.spec;
const conf = (key: string): string => `spec.flinkConfiguration[${key}]`;
const operatorKey = (key: string): string => conf(`kubernetes.operator.${key}`);
const directories: Edits = {
  [conf('execution.checkpointing.dir')]: 's3://b/cp',
  [conf('execution.checkpointing.savepoint-dir')]: 's3://b/sp',
};
const zookeeper: Edits = { ...directories, [conf('high-availability.type')]: 'zookeeper' };

const examples: Readonly<Record<string, Example<DeploymentContext>>> = {
  'deployment-name': {
    refused: { 'metadata.name': '1st-job' },
    accepted: { 'metadata.name': `a${'-x'.repeat(22)}` },
    value: '1st-job',
    says: 'no more than 45 characters',
  },
  'flink-version': {
    refused: { 'spec.flinkVersion': 'v1_14' },
    accepted: { 'spec.flinkVersion': 'v1_15' },
    value: 'v1_14',
    says: 'v1_15 to v2_4',
  },
  'flink-version-after-last-state': {
    with: { ...directories, 'spec.job.upgradeMode': 'last-state' },
    context: { recorded: edited(recorded, { 'job.state': 'suspended', 'job.upgradeMode': 'last-state' }) },
    refused: { 'spec.flinkVersion': 'v2_0' },
    accepted: { 'spec.flinkVersion': 'v2_0', 'spec.job.upgradeMode': 'stateless' },
    value: 'v2_0',
    says: 'write v1_20 with spec.job.state "running"',
  },
  'forbidden-configuration': {
    refused: { 'spec.flinkConfiguration': { kubernetes: { 'cluster-id': 'other' } } },
    accepted: { 'spec.flinkConfiguration': { kubernetes: { 'cluster-name': 'other' } } },
    field: conf('kubernetes.cluster-id'),
    value: '"other"',
    says: 'remove it',
  },
  'rollback-needs-ha': {
    with: { [operatorKey('deployment.rollback.enabled')]: 'true' },
    refused: {},
    accepted: { [conf('high-availability')]: 'KUBERNETES' },
    value: 'is true',
    says: 'high-availability.storageDir',
  },
  'health-check-needs-recovery': {
    with: { [operatorKey('cluster.health-check.enabled')]: true },
    refused: { [operatorKey('jm-deployment-recovery.enabled')]: false },
    accepted: { [operatorKey('jm-deployment-recovery.enabled')]: true },
    value: 'former is false and the latter true',
    says: 'remove one of them',
  },
  'ingress-template': {
    refused: { 'spec.ingress.className': 'nginx' },
    accepted: { 'spec.ingress.template': '/{{namespace}}/{{name}}(/|$)(.*)' },
    value: 'absent',
    says: '{{name}}.{{namespace}}.example.com',
  },
  'ingress-template-url': {
    refused: { 'spec.ingress.template': 'http://x:y' },
    accepted: { 'spec.ingress.template': 'https://{{NAME}}.example.com:8443/flink' },
    value: 'http://x:y',
    says: '"y" is not a port',
  },
  'log-configuration': {
    refused: { 'spec.logConfiguration[log4j.properties]': 'x' },
    accepted: { 'spec.logConfiguration[log4j-console.properties]': 'x' },
    field: 'spec.logConfiguration[log4j.properties]',
    value: 'log4j.properties',
    says: '[logback-console.xml, log4j-console.properties]',
  },
  'checkpoint-directory': {
    with: { 'spec.job.upgradeMode': 'last-state' },
    refused: {},
    accepted: { [conf('state.checkpoints.dir')]: 's3://b/cp' },
    value: 'last-state',
    says: 'Write "execution.checkpointing.dir: s3://…"',
  },
  'savepoint-upgrade-directory': {
    with: { 'spec.job.upgradeMode': 'savepoint', [conf('state.checkpoints.dir')]: 's3://b/cp' },
    refused: {},
    accepted: { [conf('state.savepoints.dir')]: 's3://b/sp' },
    value: 'is savepoint',
    says: 'Write "execution.checkpointing.savepoint-dir: s3://…"',
  },
  'savepoint-trigger-directory': {
    with: { 'spec.job.savepointTriggerNonce': 5 },
    refused: {},
    accepted: directories,
    value: 'is 5',
    says: 'create a FlinkStateSnapshot',
  },
  'periodic-savepoint-directory': {
    with: { [operatorKey('periodic.savepoint.interval')]: '1 h' },
    refused: {},
    accepted: directories,
    value: '"1 h"',
    says: 'or remove the interval',
  },
  'checkpoint-age-directory': {
    with: { [operatorKey('job.upgrade.last-state.max.allowed.checkpoint.age')]: '5 min' },
    refused: {},
    accepted: directories,
    value: '"5 min"',
    says: 'or remove the age',
  },
  'task-manager-replicas': {
    refused: { 'spec.taskManager.replicas': 0 },
    accepted: { 'spec.taskManager.replicas': 1, 'spec.job.parallelism': undefined },
    value: 'is 0',
    says: 'Write 1 or more',
  },
  'job-parallelism': {
    refused: { 'spec.job.parallelism': 0 },
    accepted: { 'spec.job.parallelism': 1 },
    value: 'is 0',
    says: 'Write 1 or more',
  },
  'jobmanager-memory': {
    refused: { 'spec.jobManager.resource.memory': undefined },
    accepted: {
      'spec.jobManager.resource.memory': undefined,
      [conf('jobmanager.memory.heap.size')]: '1g',
    },
    value: 'absent',
    says: 'such as 2g or 2Gi',
  },
  'jobmanager-memory-size': {
    refused: { 'spec.jobManager.resource.memory': '12 parsecs' },
    accepted: { 'spec.jobManager.resource.memory': '1.5GiB' },
    value: '"12 parsecs"',
    says: '2048m, 2g (Flink) or 2Gi (Kubernetes)',
  },
  'jobmanager-ephemeral-storage': {
    refused: { 'spec.jobManager.resource.ephemeralStorage': '5 boxes' },
    accepted: { 'spec.jobManager.resource.ephemeralStorage': '5Gi' },
    value: '"5 boxes"',
    says: 'not an amount of bytes',
  },
  'jobmanager-cpu': {
    refused: { 'spec.jobManager.resource.cpu': 0 },
    accepted: { 'spec.jobManager.resource.cpu': 0.1 },
    value: 'is 0',
    says: 'such as 1 or 0.5',
  },
  'jobmanager-resources': {
    refused: { 'spec.jobManager.resources': { requests: { memory: '3Gi' }, limits: { memory: '2Gi' } } },
    accepted: { 'spec.jobManager.resources': { requests: { memory: '2048Mi' }, limits: { memory: '2Gi' } } },
    field: 'spec.jobManager.resources.requests.memory',
    value: '"3Gi", and the limit is "2Gi"',
    says: 'Lower the request or raise spec.jobManager.resources.limits.memory',
  },
  'job-manager-replicas': {
    refused: { 'spec.jobManager.replicas': 0 },
    accepted: { 'spec.jobManager.replicas': 1 },
    value: 'is 0',
    says: 'write 1',
  },
  'standby-needs-ha': {
    with: { 'spec.jobManager.replicas': 2 },
    refused: {},
    accepted: { [conf('high-availability.type')]: 'kubernetes' },
    value: 'is 2',
    says: 'high-availability.type: kubernetes',
  },
  'taskmanager-memory': {
    refused: { 'spec.taskManager': undefined },
    accepted: { 'spec.taskManager': { resources: { requests: { memory: '2Gi' } } } },
    value: 'absent',
    says: 'such as 2g or 2Gi',
  },
  'taskmanager-memory-size': {
    refused: { 'spec.taskManager.resource.memory': 'lots' },
    accepted: { 'spec.taskManager.resource.memory': '2048m' },
    value: '"lots"',
    says: '2048m, 2g (Flink) or 2Gi (Kubernetes)',
  },
  'taskmanager-ephemeral-storage': {
    refused: { 'spec.taskManager.resource.ephemeralStorage': '0' },
    accepted: { 'spec.taskManager.resource.ephemeralStorage': '1g' },
    value: '"0"',
    says: 'nothing at all',
  },
  'taskmanager-cpu': {
    refused: { 'spec.taskManager.resource.cpu': -1 },
    accepted: { 'spec.taskManager.resource.cpu': 2 },
    value: 'is -1',
    says: 'or leave it out',
  },
  'taskmanager-resources': {
    refused: { 'spec.taskManager.resources': { limits: { cpu: 'two' } } },
    accepted: { 'spec.taskManager.resources': { limits: { cpu: '2', 'nvidia.com/gpu': 0 } } },
    field: 'spec.taskManager.resources.limits.cpu',
    value: '"two"',
    says: 'such as 500m or 2',
  },
  'cluster-kind-change': {
    context: { recorded: edited(recorded, { job: undefined }) },
    refused: {},
    accepted: { 'spec.job': undefined },
    value: 'is given',
    says: 'submit the job as a FlinkSessionJob',
  },
  'cluster-mode-change': {
    context: { recorded },
    refused: { 'spec.mode': 'standalone' },
    accepted: { 'spec.mode': 'native' },
    value: '"standalone"',
    says: 'Write native',
  },
  'savepoint-redeploy-path': {
    context: { recorded, nonces: { savepointRedeploy: 2 } },
    with: { 'spec.job.savepointRedeployNonce': 3 },
    refused: { 'spec.job.initialSavepointPath': '  ' },
    accepted: { 'spec.job.initialSavepointPath': 's3://b/sp/1' },
    value: 'savepointRedeployNonce is 3 (2 was acted upon last)',
    says: 'set the nonce back',
  },
  'one-redeploy-at-a-time': {
    context: { recorded, nonces: { savepointRedeploy: 2 } },
    with: { 'spec.job.initialSavepointPath': 's3://b/sp/1', 'spec.job.statelessRedeployNonce': 7 },
    refused: { 'spec.job.savepointRedeployNonce': 3 },
    accepted: { 'spec.job.savepointRedeployNonce': 2 },
    value: 'savepointRedeployNonce is 3 (2 was acted upon last) and spec.job.statelessRedeployNonce is 7 (none',
    says: 'Change only the one you mean',
  },
  'service-account': {
    refused: { 'spec.serviceAccount': undefined },
    accepted: { 'spec.serviceAccount': 'jobs' },
    value: 'absent',
    says: 'a ServiceAccount of this namespace',
  },
  'autoscaler-range': {
    with: { [conf('job.autoscaler.enabled')]: 'true' },
    refused: { [conf('job.autoscaler.target.utilization')]: '1.7' },
    accepted: { [conf('job.autoscaler.target.utilization')]: '0.7' },
    field: conf('job.autoscaler.target.utilization'),
    value: '"1.7"',
    says: 'job.autoscaler.utilization.target is invalid, it should be a value within the range [0.0, 1.0]',
  },
  'autoscaler-excluded-periods': {
    with: { [conf('job.autoscaler.enabled')]: 'true' },
    refused: { [conf('job.autoscaler.excluded.periods')]: '9:30-10:30;11:00-10:00' },
    accepted: { [conf('job.autoscaler.excluded.periods')]: '9:30-10:30;* * 9-11 ? * 2-6 && 14:00-15:00' },
    value: '"11:00-10:00"',
    says: 'ends before it begins',
  },
  'autoscaler-window': {
    with: { [conf('job.autoscaler.enabled')]: 'true' },
    refused: { [conf('job.autoscaler.metrics.window')]: '5 s' },
    accepted: { [conf('job.autoscaler.metrics.window')]: '5 min' },
    value: '5 s against 1 min',
    says: 'at least 1 min',
  },
  'last-state-metadata': {
    with: { 'spec.job.upgradeMode': 'last-state' },
    refused: zookeeper,
    accepted: { ...zookeeper, 'spec.job.upgradeMode': 'savepoint' },
    value: 'high-availability.type is "zookeeper"',
    says: 'only in Kubernetes',
  },
  'rollback-metadata': {
    with: { ...zookeeper, [operatorKey('deployment.rollback.enabled')]: 'true' },
    refused: {},
    accepted: { [conf('high-availability.type')]: 'kubernetes' },
    value: 'is true',
    says: 'Disable it',
  },
  'redeploy-metadata': {
    with: zookeeper,
    context: { recorded, nonces: { statelessRedeploy: 1 } },
    refused: { 'spec.job.statelessRedeployNonce': 2 },
    accepted: { 'spec.job.statelessRedeployNonce': 1 },
    field: 'spec.job.statelessRedeployNonce',
    value: 'is 2',
    says: 'Set the nonce back to 1',
  },
  'image-pull-policy': {
    refused: { 'spec.imagePullPolicy': 'Sometimes' },
    accepted: { 'spec.imagePullPolicy': 'Always' },
    value: '"Sometimes"',
    says: 'IfNotPresent, Always or Never',
  },
  'jar-uri': {
    refused: { 'spec.job.jarURI': 'local:///opt/my job.jar' },
    accepted: { 'spec.job.jarURI': 'local:///opt/my%20job.jar' },
    value: '"local:///opt/my job.jar"',
    says: 'write %20 for it',
  },
  'jar-in-native-mode': {
    with: { 'spec.job.jarURI': undefined, 'spec.job.entryClass': 'com.example.Main' },
    refused: {},
    accepted: { 'spec.mode': 'standalone' },
    value: 'absent',
    says: 'does not look for com.example.Main on the class path',
  },
  'configuration-value': {
    refused: { [conf('taskmanager.numberOfTaskSlots')]: 'many' },
    accepted: { [conf('taskmanager.numberOfTaskSlots')]: 4 },
    field: conf('taskmanager.numberOfTaskSlots'),
    value: '"many"',
    says: 'not a whole number',
  },
  'task-slots': {
    refused: { [conf('taskmanager.numberOfTaskSlots')]: 0 },
    accepted: { [conf('taskmanager.numberOfTaskSlots')]: 1 },
    value: '"0"',
    says: 'Write 1 or more',
  },
  'configuration-file': {
    with: { 'spec.flinkVersion': 'v2_0' },
    refused: { [conf('pipeline')]: 'x', [conf('pipeline.name')]: 'orders' },
    accepted: { [conf('pipeline.name')]: 'orders' },
    value: 'pipeline has a value',
    says: 'or remove it',
  },
  'periodic-savepoints': {
    with: directories,
    refused: { [operatorKey('periodic.savepoint.interval')]: 'hourly' },
    accepted: { [operatorKey('periodic.savepoint.interval')]: '0 0 * * * ?' },
    value: '"hourly"',
    says: 'Write for example "1 h"',
  },
  'periodic-checkpoints': {
    refused: { [operatorKey('periodic.checkpoint.interval')]: '* * *' },
    accepted: { [operatorKey('periodic.checkpoint.interval')]: 'PT1H' },
    value: '"* * *"',
    says: 'a cron expression has 6 or 7 fields',
  },
  'jobmanager-memory-fit': {
    refused: { 'spec.jobManager.resource.memory': '576m' },
    accepted: { 'spec.jobManager.resource.memory': '577m' },
    value: '"576m"',
    says: 'write more than 576m',
  },
  'taskmanager-memory-fit': {
    refused: { 'spec.taskManager.resource.memory': '500m' },
    accepted: { 'spec.taskManager.resource.memory': '1g' },
    value: '"500m"',
    says: 'Framework Heap (128m)',
  },
};

function judge(example: Example<DeploymentContext>, edits: Edits) {
  const resource = edited(deployment, { ...example.with, ...edits });
  return validateDeployment(resource, { operator, ...example.context });
}

describe('every rule for a FlinkDeployment', () => {
  it('has an example', () => {
    expect(Object.keys(examples)).toEqual(deploymentRules.map(({ rule }) => rule));
  });

  it.each(deploymentRules.map(({ rule, field }) => [rule, field]))(
    '%s refuses with field, value and way out',
    (rule, field) => {
      const example = examples[rule] as Example<DeploymentContext>;
      expectRefusal(judge(example, example.refused), rule, example, field);
    },
  );

  it.each(Object.entries(examples))('%s accepts what is next to it', (_rule, example) => {
    expect(judge(example, example.accepted)).toEqual([]);
  });
});
