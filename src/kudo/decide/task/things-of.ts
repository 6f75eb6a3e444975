import type { KubeObject } from '../../../kube/object.ts';
import { workloadOf } from '../../graph/workload.ts';
import { dependenciesOf } from '../../render/hash/dependency.ts';
import { refOf, type ThingRef, thingId } from '../view.ts';
import type { StepWork, TaskWork } from './work.ts';

/** Everything that these steps look at, each once. */
export function thingsOf(steps: readonly StepWork[]): readonly ThingRef[] {
  const things = new Map<string, ThingRef>();
  for (const { tasks } of steps) for (const task of tasks) for (const ref of of(task)) things.set(thingId(ref), ref);
  return [...things.values()];
}

function of(task: TaskWork): readonly ThingRef[] {
  switch (task.does) {
    case 'apply': {
      const { restartPolicy } = task.place.operatorVersion.spec;
      const read = restartPolicy === 'onDependencyChange' ? task.objects.flatMap(dependencies) : [];
      return [...task.objects.map(refOf), ...read];
    }
    case 'delete':
      return task.objects.map(refOf);
    case 'pipe':
      return [refOf(task.pipe.pod), ...task.pipe.artifacts.map(({ kind, name }) => ({ apiVersion: 'v1', kind, name }))];
    case 'child':
      return [refOf(task.child), task.version];
    case 'dummy':
    case 'wait':
    case 'fail':
      return [];
  }
}

/** ConfigMaps and Secrets that the pods of a workload read, if it is restarted for them: those of a Job never are. */
export function dependencies(object: KubeObject): readonly ThingRef[] {
  const workload = workloadOf(object);
  if (workload === undefined || workload.rollout === 'immutable') return [];
  const { mounted, others } = dependenciesOf(workload.podSpec);
  return [...mounted, ...others].map(({ kind, name }) => ({ apiVersion: 'v1', kind, name }));
}
