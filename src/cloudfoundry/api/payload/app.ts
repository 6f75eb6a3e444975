import * as z from 'zod';
import { changedMetadata, ignored, newMetadata, relationship } from './parse-body.ts';

const lifecycleData = z.strictObject({
  buildpacks: z.array(z.string()).nullish(),
  stack: z.string().nullish(),
  credentials: ignored,
});

/** Environment variables under `field`. Those that the platform itself gives to instances are refused. */
export const environment = (field: string) =>
  z.record(z.string().min(1), z.unknown()).superRefine((variables, context) => {
    for (const name of Object.keys(variables)) {
      const why = refusal(name);
      if (why) context.addIssue({ code: 'custom', message: `${field}.${name.slice(0, 60)} ${why}` });
    }
  });

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
  const storable = /^[-._a-zA-Z0-9]{1,253}$/.test(name) && !/^\.\.?$/.test(name);
  return storable ? undefined : "must be made of letters, digits, '-', '_' and '.', at most 253 of them";
}

/** A variable's value as text: numbers, truth values and structures are sent to the app as their JSON. */
export function variableText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
