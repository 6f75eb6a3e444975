import * as z from 'zod';
import { sameQuantity } from '../../src/change/quantity.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { type Body, defineKind } from '../../src/schema/kind.ts';
import { embeddedResource, intOrString, keyedList, quantity, rule, setOf } from '../../src/schema/types.ts';

/** What a bulb runs on: exactly one of the two. */
const source = z.discriminatedUnion('type', [
  z.object({ type: z.literal('mains'), volts: z.int32().min(12).max(400) }),
  z.object({ type: z.literal('battery'), cells: z.int32().min(1).max(64), rechargeable: z.boolean().optional() }),
]);

const room = z.object({
  name: z.string().min(1).max(63),
  colour: z.enum(['warm', 'cold']).default('warm').meta({ change: 'patch' }),
  lumens: z.int32().min(0).optional(),
});

const timer = rule(
  z.object({
    from: z.int32().min(0).max(24).describe('Hour of the day at which the lamp goes on.'),
    to: z.int32().min(0).max(24).describe('Hour of the day at which the lamp goes off.'),
  }),
  {
    rule: 'self.from <= self.to',
    message: 'a lamp must not go off before it goes on',
    fieldPath: '.to',
    holds: ({ from, to }) => from <= to,
  },
);

const spec = z.object({
  mode: z
    .enum(['steady', 'blinking'])
    .default('steady')
    .meta({
      description: 'How the lamp shines. It cannot be changed later.',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'mode cannot be changed' }],
    }),
  state: z
    .enum(['on', 'off'])
    .optional()
    .meta({ description: 'Whether the lamp should shine.', change: { demands: 'upgrade', absentMeans: 'on' } }),
  image: z
    .string()
    .regex(/^[a-z0-9./:@_-]+$/)
    .max(256)
    .describe('The program that the bulbs run.'),
  replicas: z.int32().min(0).default(1).meta({ description: 'How many bulbs shine.', change: 'scale' }),
  brightness: z
    .int32()
    .min(0)
    .max(100)
    .optional()
    .meta({
      description: 'Per cent.',
      change: { by: 'mode', cases: { steady: 'scale' }, otherwise: 'restart' },
    }),
  restartNonce: z
    .int()
    .optional()
    .meta({ description: 'Another number restarts the bulbs.', change: { demands: 'restart', ignoreAbsent: 'after' } }),
  savepointRedeployNonce: z
    .int()
    .optional()
    .meta({
      description: 'Another number starts the lamp anew from `carryFrom`.',
      change: { demands: 'redeploy-from-savepoint', ignoreAbsent: 'after' },
    }),
  statelessRedeployNonce: z
    .int()
    .optional()
    .meta({
      description: 'Another number starts the lamp anew with its counter at zero.',
      change: { demands: 'redeploy-without-state', ignoreAbsent: 'after' },
    }),
  carryFrom: z
    .string()
    .max(1024)
    .optional()
    .meta({ description: 'Where the counter is taken from at a redeploy.', change: 'nothing' }),
  configuration: z
    .looseObject({})
    .optional()
    .meta({
      description: 'Configuration of the program; nested maps are dotted keys.',
      change: {
        keys: {
          prefixes: [
            ['lamp.operator.', 'nothing'],
            ['lamp.dimmer.', { by: 'mode', cases: { steady: 'scale' }, otherwise: 'restart' }],
          ],
          otherwise: 'upgrade',
          flatten: true,
          secrets: ['password'],
        },
      },
    }),
  labels: z
    .record(z.string(), z.string().max(63))
    .optional()
    .meta({ description: 'Labels of the bulbs.', change: 'patch' }),
  rooms: keyedList(room, 'name').max(16).optional().describe('Where the bulbs hang.'),
  tags: setOf(z.string().max(63))
    .max(16)
    .optional()
    .meta({ description: 'Words to find the lamp by.', change: 'nothing' }),
  args: z
    .array(z.string().max(256))
    .max(32)
    .default([])
    .meta({ description: 'Arguments of the program.', 'x-kubernetes-list-type': 'atomic' }),
  port: intOrString()
    .optional()
    .meta({ description: 'Number or name of the port that the switch listens on.', change: 'restart' }),
  power: quantity()
    .optional()
    .meta({ description: 'Power per bulb.', change: { demands: 'restart', equal: sameQuantity } }),
  source: source
    .optional()
    .meta({ description: 'Where the power comes from.', change: { demands: 'restart', whole: true } }),
  timer: timer.nullable().optional().meta({ change: 'patch' }),
  token: z.string().max(256).optional().meta({ description: 'Opens the switch.', secret: true, change: 'restart' }),
  fitting: z
    .object({ socket: z.string().max(16).optional(), shade: z.string().max(16).optional() })
    .optional()
    .meta({ description: 'What the bulb is screwed into.', 'x-kubernetes-map-type': 'atomic' }),
  podTemplate: z
    .looseObject({ metadata: z.looseObject({}).optional(), spec: z.looseObject({}).optional() })
    .optional()
    .meta({ description: 'What pods of bulbs look like.', change: { unknownKeys: 'ignore' } }),
  attachment: embeddedResource()
    .optional()
    .meta({ description: 'An object that is created beside the lamp.', change: 'patch' }),
});

const condition = z.object({
  type: z.string().max(316),
  status: z.enum(['True', 'False', 'Unknown']),
  observedGeneration: z.int().min(0).optional(),
  lastTransitionTime: z.iso.datetime(),
  reason: z.string().max(1024),
  message: z.string().max(32768),
});

const status = z.object({
  observedGeneration: z.int().optional().describe('The generation of the spec that this status speaks of.'),
  phase: z.enum(['Pending', 'Warming', 'Shining', 'Dark', 'Failing']).optional(),
  replicas: z.int32().optional().describe('How many bulbs there are.'),
  selector: z.string().optional().describe('Label selector of the bulbs.'),
  counter: z.int().optional().describe('How often the lamp has blinked: the state that must not be lost.'),
  attempt: z.int32().optional().describe('How many effects were ever begun; ids of effects derive from it.'),
  reconciledSpec: z.unknown().optional().describe('The spec that has become true.'),
  transition: z
    .looseObject({ id: z.string() })
    .optional()
    .describe('Everything about the change under way; absent when there is none.'),
  conditions: keyedList(condition, 'type').optional(),
  error: z.string().optional(),
});

/** A made-up kind that uses everything a definition can say. */
export const lamp = defineKind({
  group: 'toy.cutover.dev',
  version: 'v1alpha1',
  kind: 'Lamp',
  plural: 'lamps',
  shortNames: ['lmp'],
  categories: ['toys'],
  scope: 'Namespaced',
  description: 'A lamp is a made-up workload: bulbs that shine, blink and count.',
  spec,
  status,
  columns: [
    { name: 'Phase', type: 'string', path: '.status.phase' },
    { name: 'Bulbs', type: 'integer', path: '.status.replicas' },
    { name: 'Ready', type: 'string', path: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Image', type: 'string', path: '.spec.image', wide: true },
    { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' },
  ],
  scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.status.selector' },
  rules: [
    { rule: 'self.metadata.name.size() <= 52', message: 'the name must have at most 52 characters: pods append to it' },
  ],
});

export type Lamp = KubeObject & Body<typeof lamp>;
