import { effectiveConfig } from '../config/effective-config.ts';
import { flatConfig } from '../config/flink-config.ts';
import type { OperatorConfig } from '../config/operator-config.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { FlinkDeployment } from '../resources/flink-deployment.ts';
import { type FlinkSessionJob, type FlinkSessionJobSpec, flinkSessionJob } from '../resources/flink-session-job.ts';
import { sessionJobSpecCodec } from '../resources/recorded-spec.ts';
import { artifactFault } from './artifact-uri.ts';
import { autoscalerRules } from './autoscaler.ts';
import { isCanary } from './canary.ts';
import { redeployRules, sessionChangeRules } from './change.ts';
import { settingRules } from './configuration.ts';
import { jobStateRules, parallelismRules, pathRules, scheduleRules } from './job.ts';
import { deploymentNameRules } from './name.ts';
import type { Problem } from './problem.ts';
import { problemsOf, type Rule, shown } from './rule.ts';
import { shapeProblems } from './shape.ts';
import { type Standing, standingOf } from './standing.ts';
import type { SessionJobSubject } from './subject.ts';

/** What a FlinkSessionJob is judged by, beside itself. What is not given of `Standing` is read from its status. */
export interface SessionJobContext extends Standing<FlinkSessionJobSpec> {
  readonly operator: OperatorConfig;
  /** The cluster that it names; absent when there is none, or none is known. */
  readonly session?: FlinkDeployment | undefined;
}

const ownRules: readonly Rule<SessionJobSubject>[] = [
  {
    rule: 'session-job',
    field: 'spec.job',
    says: 'A session job has a job.',
    check: ({ job }) =>
      job
        ? undefined
        : 'The job spec should not be empty: spec.job is absent. Write what to run, at least jarURI and parallelism.',
  },
];

const artifactRules: readonly Rule<SessionJobSubject>[] = [
  {
    rule: 'artifact-uri',
    field: 'spec.job.jarURI',
    says: 'The jar of a session job is at a place from which the operator may download: by scheme and by host.',
    check({ job, artifacts }) {
      if (job?.jarURI === undefined) return undefined;
      const fault = artifactFault(job.jarURI, artifacts);
      return fault && `spec.job.jarURI is refused: ${fault.message}.`;
    },
  },
];

const clusterRules: readonly Rule<SessionJobSubject>[] = [
  {
    rule: 'session-is-application',
    field: 'spec.deploymentName',
    says: 'A session job runs in a session cluster, not in that of an application.',
    check: ({ spec, session }) =>
      session?.spec?.job
        ? `Can not submit session job to application cluster: the FlinkDeployment ${shown(spec.deploymentName)}, which spec.deploymentName names, has a job of its own. Name a FlinkDeployment without spec.job.`
        : undefined,
  },
  {
    rule: 'session-is-another',
    field: 'spec.deploymentName',
    says: 'A session job is judged by the cluster that it names.',
    check: ({ spec, session }) =>
      session && session.metadata.name !== spec.deploymentName
        ? `The session job's cluster id is not match with the session cluster: spec.deploymentName is ${shown(spec.deploymentName)}, and the cluster is ${shown(session.metadata.name)}. Write the name of the cluster.`
        : undefined,
  },
];

/** Rules about what the cluster brings along hold only when it is known. */
const mergedRules: readonly Rule<SessionJobSubject>[] = [...jobStateRules, ...autoscalerRules].map((rule) => ({
  ...rule,
  check: (subject) => (subject.session ? rule.check(subject) : undefined),
}));

/** First the upstream's, in its order; then what it lets through and stumbles over later. */
export const sessionJobRules: readonly Rule<SessionJobSubject>[] = [
  ...deploymentNameRules,
  ...ownRules,
  ...sessionChangeRules,
  ...artifactRules,
  ...clusterRules,
  ...mergedRules.slice(0, jobStateRules.length),
  ...parallelismRules.filter(({ rule }) => rule === 'job-parallelism'),
  ...mergedRules.slice(jobStateRules.length),
  ...redeployRules,
  ...settingRules,
  ...scheduleRules,
  ...pathRules,
];

/** All that is wrong with a FlinkSessionJob. Pure and total. */
export function validateSessionJob(resource: FlinkSessionJob, context: SessionJobContext): readonly Problem[] {
  const misshapen = shapeProblems(flinkSessionJob, resource);
  if (misshapen.length > 0) return misshapen;
  if (isCanary(resource)) return [];
  const { spec, metadata } = resource;
  const { operator, session } = context;
  const { recorded, nonces } = {
    ...standingOf(flinkSessionJob, sessionJobSpecCodec, resource.status),
    ...context,
  };
  const place = { namespace: metadata.namespace ?? 'default', flinkVersion: session?.spec?.flinkVersion };
  const own = effectiveConfig(operator, place);
  return problemsOf(sessionJobRules, {
    resource,
    spec,
    session,
    job: spec.job,
    replicas: undefined,
    config: effectiveConfig(operator, place, session?.spec?.flinkConfiguration, spec.flinkConfiguration),
    written: flatConfig(spec.flinkConfiguration),
    recorded,
    nonces,
    artifacts: {
      schemes: read(own, operatorOptions.artifactSchemes).map((scheme) => scheme.toLowerCase()),
      restrictHosts: read(own, operatorOptions.artifactRestrictedHosts),
    },
  });
}
