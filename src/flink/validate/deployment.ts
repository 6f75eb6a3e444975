import { effectiveConfig } from '../config/effective-config.ts';
import { flatConfig } from '../config/flink-config.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import { type FlinkDeployment, type FlinkDeploymentSpec, flinkDeployment } from '../resources/flink-deployment.ts';
import { deploymentSpecCodec } from '../resources/recorded-spec.ts';
import { autoscalerRules } from './autoscaler.ts';
import { isCanary } from './canary.ts';
import { clusterChangeRules, redeployRules } from './change.ts';
import { configFileRules, configurationRules, settingRules } from './configuration.ts';
import { foreignMetadataRules, jobManagerReplicaRules } from './high-availability.ts';
import { ingressRules } from './ingress.ts';
import { jarRules, jobStateRules, parallelismRules, pathRules, scheduleRules } from './job.ts';
import { memoryFitRules } from './memory.ts';
import { nameRules } from './name.ts';
import { imageRules, logRules, serviceAccountRules } from './pods.ts';
import type { Problem } from './problem.ts';
import { resourceRules } from './resources.ts';
import { problemsOf, type Rule } from './rule.ts';
import { shapeProblems } from './shape.ts';
import { type Standing, standingOf } from './standing.ts';
import type { DeploymentSubject } from './subject.ts';
import { versionRules } from './version.ts';

/** What a FlinkDeployment is judged by, beside itself. What is not given of `Standing` is read from its status. */
export interface DeploymentContext extends Standing<FlinkDeploymentSpec> {
  readonly operator: OperatorConfig;
}

/** First the upstream's, in its order; then what it lets through and stumbles over later. */
export const deploymentRules: readonly Rule<DeploymentSubject>[] = [
  ...nameRules,
  ...versionRules,
  ...configurationRules,
  ...ingressRules,
  ...logRules,
  ...jobStateRules,
  ...parallelismRules,
  ...resourceRules('jobManager'),
  ...jobManagerReplicaRules,
  ...resourceRules('taskManager'),
  ...clusterChangeRules,
  ...redeployRules,
  ...serviceAccountRules,
  ...autoscalerRules,
  ...foreignMetadataRules,
  ...imageRules,
  ...jarRules,
  ...settingRules,
  ...configFileRules,
  ...scheduleRules,
  ...pathRules,
  ...memoryFitRules,
];

/** All that is wrong with a FlinkDeployment. Pure and total. */
export function validateDeployment(resource: FlinkDeployment, context: DeploymentContext): readonly Problem[] {
  const misshapen = shapeProblems(flinkDeployment, resource);
  if (misshapen.length > 0) return misshapen;
  if (isCanary(resource)) return [];
  const { spec, metadata } = resource;
  const { recorded, nonces, transition } = {
    ...standingOf(flinkDeployment, deploymentSpecCodec, resource.status),
    ...context,
  };
  const place = { namespace: metadata.namespace ?? 'default', flinkVersion: spec.flinkVersion };
  return problemsOf(deploymentRules, {
    resource,
    spec,
    job: spec.job,
    replicas: spec.taskManager?.replicas,
    config: effectiveConfig(context.operator, place, spec.flinkConfiguration),
    written: flatConfig(spec.flinkConfiguration),
    recorded,
    nonces,
    transition,
  });
}
