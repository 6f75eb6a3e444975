import * as z from 'zod';
import { sameQuantity } from '../../change/quantity.ts';
import type { Exact } from '../../schema/exact.ts';
import { intOrString } from '../../schema/types.ts';
import { samePodTemplate } from './pod-template-meaning.ts';

const metadata = z.looseObject({
  name: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

/** What a variable holds is not told: passwords are written there, though Secrets were made for them. */
const variable = z.looseObject({ name: z.string().optional(), value: z.string().optional().meta({ secret: true }) });

const port = z.looseObject({
  name: z.string().optional(),
  containerPort: z.int32().optional(),
  protocol: z.string().optional(),
});

const mount = z.looseObject({
  name: z.string().optional(),
  mountPath: z.string().optional(),
  readOnly: z.boolean().optional(),
});

const amounts = z
  .record(z.string(), intOrString().meta({ change: { equal: sameQuantity } }))
  .optional()
  .meta({ change: { absentMeans: {} } });

const container = z.looseObject({
  name: z.string().optional(),
  image: z.string().optional(),
  imagePullPolicy: z.string().optional(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  workingDir: z.string().optional(),
  env: z.array(variable).optional(),
  envFrom: z.array(z.looseObject({})).optional(),
  ports: z.array(port).optional(),
  resources: z.looseObject({ limits: amounts, requests: amounts }).optional(),
  volumeMounts: z.array(mount).optional(),
  livenessProbe: z.looseObject({}).optional(),
  readinessProbe: z.looseObject({}).optional(),
  startupProbe: z.looseObject({}).optional(),
  lifecycle: z.looseObject({}).optional(),
  securityContext: z.looseObject({}).optional(),
});

const toleration = z.looseObject({
  key: z.string().optional(),
  operator: z.string().optional(),
  value: z.string().optional(),
  effect: z.string().optional(),
  tolerationSeconds: z.int().optional(),
});

const podSpec = z.looseObject({
  containers: z.array(container).optional(),
  initContainers: z.array(container).optional(),
  volumes: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  nodeSelector: z.record(z.string(), z.string()).optional(),
  nodeName: z.string().optional(),
  affinity: z.looseObject({}).optional(),
  tolerations: z.array(toleration).optional(),
  topologySpreadConstraints: z
    .array(
      z.looseObject({
        maxSkew: z.int32().optional(),
        topologyKey: z.string().optional(),
        whenUnsatisfiable: z.string().optional(),
      }),
    )
    .optional(),
  securityContext: z.looseObject({}).optional(),
  serviceAccountName: z.string().optional(),
  automountServiceAccountToken: z.boolean().optional(),
  imagePullSecrets: z.array(z.looseObject({ name: z.string().optional() })).optional(),
  priorityClassName: z.string().optional(),
  schedulerName: z.string().optional(),
  runtimeClassName: z.string().optional(),
  hostname: z.string().optional(),
  hostNetwork: z.boolean().optional(),
  hostAliases: z
    .array(z.looseObject({ ip: z.string().optional(), hostnames: z.array(z.string()).optional() }))
    .optional(),
  dnsPolicy: z.string().optional(),
  dnsConfig: z.looseObject({}).optional(),
  enableServiceLinks: z.boolean().optional(),
  shareProcessNamespace: z.boolean().optional(),
  restartPolicy: z.string().optional(),
  terminationGracePeriodSeconds: z.int().optional(),
  activeDeadlineSeconds: z.int().optional(),
});

/**
 * A template of pods. What people get wrong (an unquoted number as the value of a variable, a map where a list belongs)
 * is checked where it is written; everything else, also what a newer Kubernetes will know, is kept as it is and checked
 * by the API server when pods are made from it.
 *
 * Beside `metadata` and `spec` nothing has a meaning: a template copied from a Pod brings `apiVersion`, `kind` and
 * `status` along, which are kept and never compared.
 */
export function podTemplate(description: string) {
  return z
    .looseObject({ metadata: metadata.optional(), spec: podSpec.optional() })
    .optional()
    .meta({ description, change: { unknownKeys: 'ignore', equal: samePodTemplate } });
}

export type PodTemplate = Exact<NonNullable<z.output<ReturnType<typeof podTemplate>>>>;

/** Amounts of resources as Kubernetes writes them. */
export const resourceRequirements = z
  .object({
    requests: amounts,
    limits: amounts,
    claims: z
      .array(z.object({ name: z.string().optional(), request: z.string().optional() }))
      .optional()
      .meta({ change: { absentMeans: [] } }),
  })
  .optional();

export type ResourceRequirements = Exact<NonNullable<z.output<typeof resourceRequirements>>>;
