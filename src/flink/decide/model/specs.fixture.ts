import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import type { JobSpec, UpgradeMode } from '../../resources/job-spec.ts';

export const ha = { 'high-availability.type': 'kubernetes', 'high-availability.storageDir': 's3://ha' };

/** An application, as small as validation lets it be. */
export function application(upgradeMode: UpgradeMode, configuration: object = {}): FlinkDeploymentSpec {
  return {
    image: 'flink:1.20',
    flinkVersion: 'v1_20',
    serviceAccount: 'flink',
    flinkConfiguration: { 'state.checkpoints.dir': 's3://cp', 'state.savepoints.dir': 's3://sp', ...configuration },
    jobManager: { resource: { cpu: 0.5, memory: '1g' } },
    taskManager: { resource: { cpu: 1, memory: '2g' } },
    job: { jarURI: 'local:///opt/flink/usrlib/a.jar', parallelism: 2, upgradeMode },
  };
}

export type Edit = (spec: FlinkDeploymentSpec) => FlinkDeploymentSpec;

/** Changes the job; `undefined` removes a field. */
export function job(change: { [K in keyof JobSpec]?: JobSpec[K] | undefined }): Edit {
  return (old) => {
    const fields = Object.entries({ ...old.job, ...change }).filter(([, value]) => value !== undefined);
    return { ...old, job: Object.fromEntries(fields) };
  };
}

export function image(name: string): Edit {
  return (old) => ({ ...old, image: name });
}
