import { effectiveConfig } from '../config/effective-config.ts';
import type { FlinkConfig } from '../config/flink-config.ts';
import { highAvailability } from '../config/high-availability.ts';
import type { ClusterPlan } from './cluster-plan.ts';
import { deployConfig } from './deploy-config.ts';
import type { Template } from './kube-types.ts';
import { podTemplate } from './pod-template.ts';

/** A plan with what follows from it for every object. */
export interface Blueprint {
  readonly plan: ClusterPlan;
  readonly mode: 'native' | 'standalone';
  /** All that is in force, the operator's own keys included. */
  readonly settings: FlinkConfig;
  /** What the cluster gets. */
  readonly config: FlinkConfig;
  readonly ha: boolean;
  /** What users say about the pods of each process; undefined when they say nothing. */
  readonly templates: { readonly jobManager: Template | undefined; readonly taskManager: Template | undefined };
}

export function blueprint(plan: ClusterPlan): Blueprint {
  const { owner, spec, operator } = plan;
  const place = { namespace: owner.namespace, flinkVersion: spec.flinkVersion };
  const settings = effectiveConfig(operator, place, spec.flinkConfiguration);
  return {
    plan,
    mode: spec.mode === 'standalone' ? 'standalone' : 'native',
    settings,
    config: deployConfig(plan, settings),
    ha: highAvailability(settings) !== 'none',
    templates: {
      jobManager: podTemplate(spec, settings, 'jobManager'),
      taskManager: podTemplate(spec, settings, 'taskManager'),
    },
  };
}
