import fc from 'fast-check';
import { type FlinkDeploymentSpec, flinkVersions } from './flink-deployment.ts';

/** Few values, so that two specs often agree in a field. */
const word = fc.constantFrom('a', 'b', 'c:1');
const number = fc.constantFrom(0, 1, 2, 7);
const words = fc.dictionary(fc.constantFrom('x', 'y.z', '__proto__'), word, { maxKeys: 2 });

const optional = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { requiredKeys: [] });

const template = fc.record(
  {
    apiVersion: word,
    metadata: optional({ labels: words, annotations: words }),
    spec: optional({
      hostname: word,
      containers: fc.array(
        optional({ name: word, image: word, env: fc.array(optional({ name: word, value: word })) }),
        {
          maxLength: 2,
        },
      ),
    }),
  },
  { requiredKeys: [] },
);

const resource = optional({ cpu: fc.constantFrom(0.5, 1, 2), memory: word, ephemeralStorage: word });
const resources = optional({ requests: words, limits: words });

const configuration = fc.dictionary(
  fc.constantFrom(
    'job.autoscaler.enabled',
    'parallelism.default',
    'kubernetes.operator.reconcile.interval',
    'pipeline.jobvertex-parallelism-overrides',
    'rest.port',
    'taskmanager',
  ),
  fc.oneof(word, number, fc.array(word, { maxLength: 2 }), fc.dictionary(word, number, { maxKeys: 1 })),
  { maxKeys: 3 },
);

const job = optional({
  jarURI: word,
  parallelism: number,
  entryClass: word,
  args: fc.array(word, { maxLength: 3 }),
  state: fc.constantFrom('running', 'suspended'),
  savepointTriggerNonce: number,
  initialSavepointPath: word,
  checkpointTriggerNonce: number,
  upgradeMode: fc.constantFrom('savepoint', 'last-state', 'stateless'),
  allowNonRestoredState: fc.boolean(),
  savepointRedeployNonce: number,
  statelessRedeployNonce: number,
  autoscalerResetNonce: number,
});

/** Specs of FlinkDeployments, for property tests. */
export const deploymentSpecs = optional({
  job,
  restartNonce: number,
  flinkConfiguration: configuration,
  image: word,
  imagePullPolicy: word,
  serviceAccount: word,
  flinkVersion: fc.constantFrom(...flinkVersions),
  ingress: optional({
    template: word,
    annotations: words,
    tls: fc.array(optional({ secretName: word }), { maxLength: 2 }),
  }),
  podTemplate: template,
  jobManager: optional({ resource, resources, replicas: number, podTemplate: template }),
  taskManager: optional({ resource, resources, replicas: number, podTemplate: template }),
  logConfiguration: words,
  mode: fc.constantFrom('native', 'standalone'),
}) as fc.Arbitrary<FlinkDeploymentSpec>;
