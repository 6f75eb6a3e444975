import * as z from 'zod';
import { changedMetadata, ignored, newMetadata, relationship } from './parse-body.ts';

const lifecycleData = z.strictObject({
  buildpacks: z.array(z.string()).nullish(),
  stack: z.string().nullish(),
  credentials: ignored,
});

/**
 * Environment variables under `field`. Those that the platform itself gives to instances are refused, and what no process can
 * be given. A record leaves `__proto__` out without a word, so names are looked at before.
 */
export const environment = (field: string) =>
  z
    .unknown()
    .superRefine((variables, context) => {
      if (typeof variables !== 'object' || variables === null) return;
      for (const [name, value] of Object.entries(variables)) {
        const why = refusal(name) ?? valueRefusal(value);
        if (why) context.addIssue({ code: 'custom', message: `${field}.${name.slice(0, 60)} ${why}` });
      }
    })
    .pipe(z.record(z.string().min(1), z.unknown()));

/** `POST /v3/apps`. */
export const newApp = z.strictObject({
  name: z.string().min(1),
  lifecycle: z.strictObject({ type: z.enum(['buildpack', 'docker']), data: lifecycleData.nullish() }).optional(),
  relationships: z.strictObject({ space: relationship, current_droplet: ignored }),
  environment_variables: environment('environment_variables').nullish(),
  metadata: newMetadata,
});

/** `PATCH /v3/apps/{guid}`. */
export const changedApp = z.strictObject({
  name: z.string().min(1).optional(),
  lifecycle: z.strictObject({ type: z.enum(['buildpack', 'docker']).optional(), data: lifecycleData }).optional(),
  metadata: changedMetadata,
});

/** `PATCH /v3/apps/{guid}/environment_variables`: `null` takes a variable away. */
export const changedEnvironment = z.strictObject({ var: environment('var') });

/** `PATCH /v3/apps/{guid}/relationships/current_droplet`. */
export const currentDroplet = z.strictObject({ data: z.strictObject({ guid: z.string().min(1) }) });

export type NewApp = z.infer<typeof newApp>;
export type ChangedApp = z.infer<typeof changedApp>;

function refusal(name: string): string | undefined {
  if (/^VCAP_/i.test(name)) return 'prefix VCAP_ is not allowed';
  if (name.toUpperCase() === 'PORT') return 'value PORT is not allowed';
  if (name === '__proto__') return 'is not allowed as a name';
  const storable = /^[-._a-zA-Z0-9]{1,253}$/.test(name) && !/^\.\.?$/.test(name);
  return storable ? undefined : "must be made of letters, digits, '-', '_' and '.', at most 253 of them";
}

/** How deep structures may be: far beyond what configurations need, and far below what exhausts the stack. */
const deepest = 100;

function valueRefusal(value: unknown): string | undefined {
  if (typeof value === 'string' && value.includes('\0')) return 'must not contain a null character';
  return isDeeper(value, deepest) ? `must not be nested deeper than ${deepest} levels` : undefined;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

/** A variable's value as text: numbers, truth values and structures are sent to the app as their JSON. */
export function variableText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
