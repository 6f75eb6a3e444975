import type { AnyObject } from '../../kube/object.ts';
import { flinkOptions } from '../config/flink-options.ts';
import { problemsWith } from '../config/option.ts';
import { flinkDeploymentSpec } from '../resources/flink-deployment.ts';
import { type Blueprint, blueprint } from './blueprint.ts';
import type { ClusterPlan } from './cluster-plan.ts';
import { configFile } from './config-file.ts';
import { configMap } from './config-map.ts';
import { ingress } from './ingress.ts';
import { jarProblem, missingJar } from './job-jar.ts';
import { jobManagerDeployment } from './job-manager.ts';
import { jobManagerMemory, taskManagerMemory } from './process-memory.ts';
import { internalService, restService } from './services.ts';
import { taskManagerDeployment } from './task-manager.ts';
import { taskManagerTemplate } from './task-manager-template.ts';

/** The objects of one Flink cluster. */
export interface ClusterObjects {
  /** Made first. */
  readonly jobManager: AnyObject;
  /** Standalone mode only. */
  readonly taskManager: AnyObject | undefined;
  readonly ingress: AnyObject | undefined;
  /**
   * Services and ConfigMaps; they belong to the JobManager's Deployment. The configuration comes last: without it no
   * JobManager starts, so none runs in a cluster that is not complete.
   */
  readonly dependents: (deploymentUid: string) => readonly AnyObject[];
}

/**
 * The objects of a cluster. The same plan gives the same objects. Total: a spec from which no cluster can be made gives
 * the reason, for a person who can change it.
 */
export function clusterObjects(plan: ClusterPlan): ClusterObjects | { readonly problem: string } {
  const { error: misshapen } = flinkDeploymentSpec.safeParse(plan.spec);
  if (misshapen) return { problem: shapeProblem(misshapen.issues[0]) };
  const print = blueprint(plan);
  const problem = problemOf(print);
  if (problem !== undefined) return { problem };
  const file = configFile(print.config, plan.spec.flinkVersion, plan.spec.job?.args ?? []);
  if ('problem' in file) return file;
  return {
    jobManager: jobManagerDeployment(print),
    taskManager: taskManagerDeployment(print),
    ingress: ingress(print),
    dependents: (deploymentUid) =>
      [
        internalService(print, deploymentUid),
        restService(print, deploymentUid),
        taskManagerTemplate(print, deploymentUid),
        configMap(print, file, deploymentUid),
      ].filter((object) => object !== undefined),
  };
}

/** What a cluster cannot be made without. Validation says most of this earlier, and better. */
function problemOf({ plan, config, mode }: Blueprint): string | undefined {
  const { job } = plan.spec;
  const [unreadable] = problemsWith(config, flinkOptions);
  if (unreadable !== undefined) return `flinkConfiguration: ${unreadable}`;
  if (jobManagerMemory(config) === undefined) return noMemory('jobManager', 'jobmanager');
  if (mode === 'standalone' && taskManagerMemory(config) === undefined) return noMemory('taskManager', 'taskmanager');
  if (job?.jarURI) return jarProblem(job.jarURI);
  if (job && mode === 'native' && missingJar(job, config)) {
    return 'spec.job.jarURI: native mode needs one jar of the job; write for example "local:///opt/flink/usrlib/job.jar", or use "mode: standalone" for a job on the class path of the image';
  }
  return undefined;
}

function shapeProblem(issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined): string {
  return `${['spec', ...(issue?.path ?? [])].join('.')}: ${issue?.message}; write what the definition of FlinkDeployment allows`;
}

function noMemory(field: string, prefix: string): string {
  return `spec.${field}.resource.memory: it is not said how much memory each ${field} gets; write for example "2g", or set ${prefix}.memory.process.size`;
}
