import * as z from 'zod';
import { mostInstancesShown } from '../../resources/instances-status.ts';
import { changedMetadata, ignored, newMetadata, relationship } from './parse-body.ts';

const optionKeys = [
  'max_in_flight',
  'web_instances',
  'memory_in_mb',
  'disk_in_mb',
  'log_rate_limit_in_bytes_per_second',
  'canary',
] as const;

/** What `options` may hold. Clients that send one of them send the others as `null`, which is as good as nothing. */
export interface DeploymentOptions {
  readonly max_in_flight?: number;
  readonly web_instances?: number;
  readonly memory_in_mb?: number;
  readonly disk_in_mb?: number;
  readonly canary?: { readonly steps?: readonly { readonly instance_weight: number }[] };
}

const strategies = ['rolling', 'canary'];

/** `POST /v3/deployments`. */
export const newDeployment = z
  .strictObject({
    relationships: z.strictObject({ app: relationship }),
    droplet: z.strictObject({ guid: z.string().min(1) }).nullish(),
    revision: z.strictObject({ guid: z.string().min(1), version: ignored }).nullish(),
    strategy: z.string().nullish(),
    options: z.unknown().optional(),
    metadata: newMetadata,
  })
  .superRefine(({ strategy, droplet, revision, options }, context) => {
    const refuse = (message: string): void => context.addIssue({ code: 'custom', message });
    if (strategy && !strategies.includes(strategy)) {
      refuse(`Strategy '${strategy.slice(0, 40)}' is not a supported deployment strategy`);
    }
    if (droplet && revision) refuse("Cannot set both fields 'droplet' and 'revision'");
    for (const fault of optionFaults(options, strategy ?? 'rolling')) refuse(fault);
  })
  .transform(({ strategy, options, ...rest }) => ({
    ...rest,
    strategy: strategy === 'canary' ? ('canary' as const) : ('rolling' as const),
    options: withoutNulls(options),
  }));

/** `PATCH /v3/deployments/{guid}`. */
export const changedDeployment = z.strictObject({ metadata: changedMetadata });

export type NewDeployment = z.infer<typeof newDeployment>;

type Fields = Readonly<Record<string, unknown>>;

function optionFaults(options: unknown, strategy: string): readonly string[] {
  if (options === undefined || options === null) return [];
  if (!isObject(options)) return ['Options must be an object'];
  const faults: string[] = [];
  const unsupported = Object.keys(options).filter((key) => !(optionKeys as readonly string[]).includes(key));
  if (unsupported.length > 0) faults.push(`Options has unsupported key(s): ${listed(unsupported)}`);
  const { max_in_flight, web_instances, memory_in_mb, disk_in_mb, canary } = options;
  if (given(max_in_flight) && !wholeFrom(1, max_in_flight)) {
    faults.push('Max in flight must be an integer greater than 0');
  }
  if (given(web_instances) && !wholeFrom(1, web_instances)) {
    faults.push('Web instances must be an integer greater than 0');
  } else if (given(web_instances) && (web_instances as number) > mostInstancesShown) {
    faults.push(`Web instances must be ${mostInstancesShown} or less`);
  }
  if (given(memory_in_mb) && !wholeFrom(1, memory_in_mb)) faults.push('Memory in mb must be greater than 0');
  if (given(disk_in_mb) && !wholeFrom(1, disk_in_mb)) faults.push('Disk in mb must be greater than 0');
  if (given(canary)) faults.push(...canaryFaults(canary, strategy));
  return faults;
}

function canaryFaults(canary: unknown, strategy: string): readonly string[] {
  if (!isObject(canary)) return ['Options.canary must be an object'];
  if (strategy !== 'canary') return ['Options.canary are only valid for Canary deployments'];
  const unsupported = Object.keys(canary).filter((key) => key !== 'steps');
  if (unsupported.length > 0) return [`Options.canary has unsupported key(s): ${listed(unsupported)}`];
  const { steps } = canary;
  if (!given(steps)) return [];
  if (!Array.isArray(steps) || !steps.every(isObject)) return ['Options.canary.steps must be an array of objects'];
  if (steps.length > 100) return ['Options.canary.steps must be at most 100'];
  return stepFaults(steps);
}

function stepFaults(steps: readonly Fields[]): readonly string[] {
  const unsupported = steps.flatMap((step) => Object.keys(step).filter((key) => key !== 'instance_weight'));
  if (unsupported.length > 0) return [`Options.canary.steps has unsupported key(s): ${listed(unsupported)}`];
  if (steps.some((step) => !Object.hasOwn(step, 'instance_weight'))) {
    return ['Options.canary.steps missing key: "instance_weight"'];
  }
  const weights = steps.map(({ instance_weight }) => instance_weight);
  if (!weights.every((weight): weight is number => wholeFrom(1, weight) && (weight as number) <= 100)) {
    return ['Options.canary.steps.instance_weight must be an Integer between 1-100 (inclusive)'];
  }
  const ascending = weights.every((weight, at) => at === 0 || (weights[at - 1] ?? 0) <= weight);
  return ascending ? [] : ['Options.canary.steps.instance_weight must be sorted in ascending order'];
}

/** After `optionFaults` has found nothing. */
function withoutNulls(options: unknown): DeploymentOptions {
  if (!isObject(options)) return {};
  const entries = optionKeys.flatMap((key) => (given(options[key]) ? [[key, options[key]] as const] : []));
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function wholeFrom(least: number, value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) < 2 ** 31;
}

function listed(keys: readonly string[]): string {
  return keys
    .slice(0, 5)
    .map((key) => key.slice(0, 40))
    .join(', ');
}
