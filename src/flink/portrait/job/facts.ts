import type { Fact } from '../../../portrait/portrait.ts';
import { instantText } from '../../decide/instant-text.ts';
import { lastStateOnly } from '../../manifests/deploy-config.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { brief, spanText } from '../wording.ts';
import type { JobLook } from './job-look.ts';
import { error } from './moments.ts';

/** What a person on call asks about beside the five answers. */
export function factsOf(l: JobLook, now: number): readonly Fact[] {
  const { resource, status, is } = l;
  const { spec } = resource;
  const { job } = spec;
  const { flinkVersion, image, mode }: Partial<FlinkDeploymentSpec> = is === 'session job' ? {} : spec;
  const { jobId, upgradeSavepointPath, startTime, savepointInfo } = status.jobStatus ?? {};
  const saved = savepointInfo?.lastSavepoint;
  const { droppedState } = status;
  const started = Number(startTime ?? Number.NaN);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['kind', { application: 'application cluster', session: 'session cluster', 'session job': 'job in a session' }[is]],
    ['session cluster', 'deploymentName' in spec ? spec.deploymentName : undefined],
    ['Flink version', flinkVersion],
    ['image', image],
    ['mode', is === 'session job' ? undefined : (mode ?? 'native')],
    ['job id', jobId],
    ['job state', l.job],
    ['running since', Number.isFinite(started) ? instantText(started) : undefined],
    ['parallelism', job?.parallelism === undefined ? undefined : String(job.parallelism)],
    ['upgrade mode', job && (job.upgradeMode ?? 'stateless')],
    ['JobManager', status.jobManagerDeploymentStatus],
    ['TaskManagers', status.taskManager?.replicas === undefined ? undefined : String(status.taskManager.replicas)],
    [
      'last savepoint',
      saved?.location &&
        `${saved.location}${saved.timeStamp === undefined ? '' : `, ${spanText(now - saved.timeStamp)} old`}`,
    ],
    ['next start from', upgradeSavepointPath === lastStateOnly ? 'its recovery metadata' : upgradeSavepointPath],
    [
      'state left behind',
      droppedState && `${droppedState.location ?? 'nobody knows where'} (${droppedState.kind}, ${droppedState.at})`,
    ],
    ['change id', l.transition?.id],
    ['error', error(l)],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value: brief(value) }] : []));
}
