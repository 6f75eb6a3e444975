import { effectiveConfig } from '../../config/effective-config.ts';
import { taskManagerReplicas } from '../../manifests/task-manager-replicas.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import type { Status } from '../status.ts';
import type { SessionCase } from './session-case.ts';

/** The TaskManagers that a spec asks for, as status tells them; of a native cluster Flink makes as many as its jobs need. */
export function taskManagersOf(c: SessionCase, spec: FlinkDeploymentSpec): Status['taskManager'] {
  if (spec.mode !== 'standalone') return undefined;
  const { name = '', namespace = 'default' } = c.resource.metadata;
  const config = effectiveConfig(
    c.view.operator,
    { namespace, flinkVersion: spec.flinkVersion },
    spec.flinkConfiguration,
  );
  return { labelSelector: `component=taskmanager,app=${name}`, replicas: taskManagerReplicas(spec, config) };
}
