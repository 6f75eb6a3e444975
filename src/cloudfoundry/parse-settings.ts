import { parse } from 'yaml';
import * as z from 'zod';
import { type CloudFoundrySettings, defaultSettings } from './settings.ts';

/** The settings cannot be used; the message says which and why. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

const name = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'it must be a name of Kubernetes: lower case letters, digits, - and .');
const megabytes = z.int().min(1);

/** What a file may say. `version` is not among it: that is Cutover's own. */
const file = z.strictObject({
  rootNamespace: name.optional(),
  defaultDomain: name.optional(),
  runnerName: name.optional(),
  builderName: name.optional(),
  process: z
    .strictObject({
      memoryMB: megabytes.optional(),
      diskQuotaMB: megabytes.optional(),
      healthTimeoutSeconds: z.int().min(1).optional(),
    })
    .optional(),
  runner: z
    .strictObject({
      imagePullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']).optional(),
      nodeSelector: z.record(z.string(), z.string()).optional(),
      tolerations: z.array(z.looseObject({})).optional(),
      preStopSeconds: z.int().min(0).max(600).optional(),
      terminationGraceSeconds: z.int().min(0).max(86_400).optional(),
    })
    .optional(),
  gateway: z.strictObject({ namespace: name, name }).optional(),
  ingressClass: name.optional(),
  registrySecrets: z.array(name).optional(),
  retainedBuilds: z.int().min(1).optional(),
  retainedPackages: z.int().min(1).optional(),
  taskTtlHours: z.number().min(0).optional(),
  apiUrl: z.url({ protocol: /^https?$/ }).optional(),
});

/** Whose objects ours are like. Whoever reads `creation-version` to tell what an object can do takes ours for theirs. */
const published = 'v0.18.0';

/**
 * Settings from the text of a YAML file; what it does not say stays as it is by default.
 *
 * @throws SettingsError with every mistake in it, by the path of the setting
 */
export function parseSettings(text: string, version: string): CloudFoundrySettings {
  const { success, data, error } = file.safeParse(read(text) ?? {});
  if (!success) throw new SettingsError(`the configuration of Cloud Foundry cannot be used: ${mistakes(error)}`);
  const { process, runner, taskTtlHours, apiUrl, ...rest } = data;
  // What is given has a value: zod's optional members may hold none, which YAML cannot say.
  const settings = {
    ...defaultSettings,
    ...rest,
    process: { ...defaultSettings.process, ...process },
    runner: { ...defaultSettings.runner, ...runner },
    ...(taskTtlHours !== undefined && { taskTtlMs: taskTtlHours * 3_600_000 }),
    ...(apiUrl !== undefined && { apiUrl: apiUrl.replace(/\/+$/, '') }),
    version: `${published}+cutover.${version}`,
  } as CloudFoundrySettings;
  const { preStopSeconds, terminationGraceSeconds } = settings.runner;
  if (preStopSeconds > terminationGraceSeconds) {
    throw new SettingsError(
      `the configuration of Cloud Foundry cannot be used: runner.preStopSeconds is ${preStopSeconds}, but an instance has only runner.terminationGraceSeconds (${terminationGraceSeconds}) to end. Make the second greater.`,
    );
  }
  return settings;
}

function read(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0, logLevel: 'error' });
  } catch (cause) {
    throw new SettingsError(`the configuration of Cloud Foundry is not YAML: ${(cause as Error).message}`, { cause });
  }
}

function mistakes({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`).join('; ');
}
