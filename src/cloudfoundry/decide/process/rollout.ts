import type { AppWorkloadSpec } from '../../resources/app-workload.ts';
import type { CfDeployment, CfDeploymentSpec } from '../../resources/cf-deployment.ts';

/** How many steps a canary deployment has before it becomes a rolling one. */
export function totalSteps({ steps }: Pick<CfDeploymentSpec, 'steps'>): number {
  return steps?.length || 1;
}

/** How many of `instances` have the new revision at the step that may be done; `undefined` when all may. */
export function canaries({ spec }: Pick<CfDeployment, 'spec'>, instances: number): number | undefined {
  if (spec.strategy !== 'canary' || spec.step > totalSteps(spec) || instances === 0) return undefined;
  const weight = spec.steps?.[spec.step - 1]?.instanceWeight;
  return weight === undefined ? 1 : Math.max(1, Math.round((instances * weight) / 100));
}

/** How a workload takes a new revision while this deployment is under way. Only the web process has canaries. */
export function rolloutOf(
  deployment: Pick<CfDeployment, 'spec'>,
  process: { readonly type: string; readonly instances: number; readonly goesBack: boolean },
): NonNullable<AppWorkloadSpec['rollout']> {
  const { maxInFlight } = deployment.spec;
  const held = process.type === 'web' && !process.goesBack ? canaries(deployment, process.instances) : undefined;
  return held === undefined ? { maxInFlight } : { maxInFlight: 1, canaries: held };
}
