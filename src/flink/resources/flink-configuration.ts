import * as z from 'zod';

/**
 * Words that make the value of a configuration key nobody's business, in any spelling of the key: those that Flink itself
 * hides when it prints its configuration; the header that artifacts are fetched with, which is a token as a rule
 * (`kubernetes.operator.user.artifacts.http.header`); and variables of pods (`containerized.master.env.X`).
 */
export const secretWords = [
  'password',
  'secret',
  'fs.azure.account.key',
  'apikey',
  'api-key',
  'auth-params',
  'service-key',
  'token',
  'basic-auth',
  'jaas.config',
  'http-headers',
  'http.header',
  '.env.',
] as const;

/**
 * The `flinkConfiguration` of a deployment or session job: flat keys, nested maps or both. Keys of the operator and the
 * autoscaler take effect where they are read and restart nothing; vertex overrides rescale in place where Flink
 * manages its own TaskManagers.
 */
export const flinkConfiguration = z
  .looseObject({})
  .optional()
  .meta({
    description: 'Flink configuration. Nested maps are dotted keys; lists are their elements joined by ";".',
    change: {
      keys: {
        prefixes: [
          ['job.autoscaler', 'nothing'],
          ['parallelism.default', 'nothing'],
          ['kubernetes.operator', 'nothing'],
          [
            'pipeline.jobvertex-parallelism-overrides',
            { by: 'mode', cases: { standalone: 'upgrade' }, otherwise: 'scale' },
          ],
        ],
        otherwise: 'upgrade',
        flatten: true,
        secrets: secretWords,
      },
    },
  });
