import type { World } from '../world.ts';
import { cronJobController } from './cron-job.ts';
import { daemonSetController } from './daemon-set.ts';
import { deploymentController } from './deployment/deployment.ts';
import { disruptionBudgetController } from './disruption-budget.ts';
import { endpointSliceController } from './endpoint-slices.ts';
import { endpointsController } from './endpoints.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { jobController } from './job/job.ts';
import { type Controller, runController, type Trouble } from './loop.ts';
import { lostPods } from './lost-pods.ts';
import { namespaceController } from './namespace.ts';
import { namespaceContents } from './namespace-contents.ts';
import { nodeReadiness } from './node-readiness.ts';
import { replicaSetController } from './replica-set.ts';
import { scheduler } from './scheduler.ts';
import { statefulSetController } from './stateful-set/stateful-set.ts';
import { volumeBinder } from './volume-binder.ts';

export interface ControllersOptions {
  /** The cluster's certificate authority, PEM: what `kube-root-ca.crt` holds in every namespace. */
  readonly ca?: string;
  /** Hears of failures that are a controller's own fault; its key is tried again later. Without it they are thrown. */
  readonly trouble?: Trouble;
}

/** Starts the built-in controllers. Returns the way to stop them all. */
export function startControllers(world: World, options: ControllersOptions = {}): () => void {
  const makers: readonly ((world: World) => Controller)[] = [
    namespaceContents(options.ca ?? ''),
    namespaceController,
    volumeBinder,
    deploymentController,
    replicaSetController,
    statefulSetController,
    daemonSetController,
    jobController,
    cronJobController,
    endpointSliceController,
    endpointsController,
    disruptionBudgetController,
    nodeReadiness,
    lostPods,
    scheduler,
  ];
  const stops = makers.map((make) => runController(world, make(world), options.trouble));
  const collector = new GarbageCollector(world, options.trouble);
  collector.start();
  return () => {
    for (const stop of stops) stop();
    collector.stop();
  };
}
