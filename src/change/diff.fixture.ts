import type { Field } from '../schema/field.ts';
import { sameQuantity } from './quantity.ts';

/** For tests: a schema in the style of a Flink deployment, with every kind of rule once. */
export const spec: Field = {
  type: 'object',
  properties: {
    image: { type: 'string' },
    mode: { type: 'string', change: { absentMeans: 'native' } },
    restartNonce: { type: 'integer', change: { demands: 'restart', ignoreAbsent: 'after' } },
    firstOnly: { type: 'string', change: { ignoreAbsent: 'before' } },
    eitherWay: { type: 'string', change: { ignoreAbsent: 'either' } },
    job: {
      type: 'object',
      properties: {
        parallelism: { type: 'integer', change: { by: 'mode', cases: { standalone: 'scale' }, otherwise: 'upgrade' } },
        args: { type: 'array', default: [], items: { type: 'string' } },
        upgradeMode: { type: 'string', change: 'nothing' },
        savepointRedeployNonce: {
          type: 'integer',
          change: { demands: 'redeploy-from-savepoint', ignoreAbsent: 'after' },
        },
      },
    },
    jobManager: {
      type: 'object',
      change: 'restart',
      properties: { cpu: { type: 'number' }, podTemplate: { type: 'object' } },
    },
    podTemplate: {
      type: 'object',
      change: { unknownKeys: 'ignore' },
      properties: { metadata: { type: 'object' }, spec: { type: 'object' } },
      'x-kubernetes-preserve-unknown-fields': true,
    },
    configuration: {
      type: 'object',
      change: {
        keys: {
          prefixes: [
            ['job.autoscaler', 'nothing'],
            ['pipeline.overrides', { by: 'mode', cases: { native: 'scale' }, otherwise: 'upgrade' }],
          ],
          flatten: true,
          secrets: ['password', 's3.key'],
        },
      },
    },
    parameters: {
      type: 'object',
      change: {
        demands: 'restart',
        keys: {
          prefixes: [
            ['QUIET_LOUD', 'upgrade'],
            ['QUIET_', 'patch'],
          ],
        },
      },
      additionalProperties: { type: 'string' },
    },
    memory: { type: 'string', change: { demands: 'restart', equal: sameQuantity } },
    ingress: { type: 'object', change: { demands: 'patch', whole: true } },
    token: { type: 'string', secret: true },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'protocol'],
      items: {
        type: 'object',
        change: 'patch',
        properties: {
          name: { type: 'string' },
          protocol: { type: 'string', default: 'TCP' },
          port: { type: 'integer', change: 'restart' },
        },
      },
    },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    steps: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'object' } },
    fitting: {
      type: 'object',
      'x-kubernetes-map-type': 'atomic',
      properties: { a: { type: 'string', change: 'nothing' } },
    },
  },
};
