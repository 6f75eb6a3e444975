import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { crd } from './crd.ts';
import { crdYaml } from './crd-yaml.ts';
import { defineKind } from './kind.ts';
import { reference } from './reference.ts';

const base = { group: 'toy.cutover.dev', kind: 'Kettle', plural: 'kettles', scope: 'Namespaced' } as const;
const spec = z.object({ litres: z.int32().meta({ change: 'scale' }), lid: z.enum(['on', 'off']).optional() });

describe('crd', () => {
  it('has no more than it needs', () => {
    expect(crd(defineKind({ ...base, version: 'v1', spec }))).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'kettles.toy.cutover.dev' },
      spec: {
        group: 'toy.cutover.dev',
        names: { kind: 'Kettle', listKind: 'KettleList', plural: 'kettles', singular: 'kettle' },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                required: ['spec'],
                properties: {
                  apiVersion: { type: 'string' },
                  kind: { type: 'string' },
                  metadata: { type: 'object' },
                  spec: {
                    type: 'object',
                    required: ['litres'],
                    properties: {
                      litres: { type: 'integer', format: 'int32' },
                      lid: { type: 'string', enum: ['on', 'off'] },
                    },
                  },
                },
              },
            },
          },
        ],
      },
    });
  });

  it('has names, columns, subresources, rules and words when they are given', () => {
    const kind = defineKind({
      ...base,
      version: 'v1',
      singular: 'pot',
      shortNames: ['ket'],
      categories: ['all'],
      description: 'Boils water.',
      spec: spec.optional(),
      status: z.object({ litres: z.int32().optional(), selector: z.string().optional() }),
      columns: [
        { name: 'Litres', type: 'integer', path: '.spec.litres', format: 'int32', description: 'How much', wide: true },
        { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' },
      ],
      scale: { spec: '.spec.litres', status: '.status.litres', selector: '.status.selector' },
      rules: [{ rule: 'self.metadata.name.size() < 9', message: 'too long' }],
    });
    expect(crd(kind).spec).toMatchObject({
      names: { singular: 'pot', shortNames: ['ket'], categories: ['all'] },
      versions: [
        {
          additionalPrinterColumns: [
            {
              name: 'Litres',
              type: 'integer',
              format: 'int32',
              description: 'How much',
              priority: 1,
              jsonPath: '.spec.litres',
            },
            { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          ],
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.litres',
              statusReplicasPath: '.status.litres',
              labelSelectorPath: '.status.selector',
            },
          },
          schema: {
            openAPIV3Schema: {
              description: 'Boils water.',
              properties: { status: { type: 'object' } },
              'x-kubernetes-validations': [{ rule: 'self.metadata.name.size() < 9', message: 'too long' }],
            },
          },
        },
      ],
    });
    expect(JSON.stringify(crd(kind))).not.toContain('"required":["spec"]');
  });

  it('joins several versions, one of them stored', () => {
    const v2 = defineKind({ ...base, version: 'v2', spec });
    const v1 = defineKind({ ...base, version: 'v1', spec, storage: false, deprecation: 'use v2' });
    expect(crd(v2, v1).spec.versions).toMatchObject([
      { name: 'v2', served: true, storage: true },
      { name: 'v1', served: true, storage: false, deprecated: true, deprecationWarning: 'use v2' },
    ]);
    expect(() => crd(v2, v2)).toThrow('Kettle: exactly one version must be the stored one');
    expect(() => crd(v1)).toThrow('Kettle: exactly one version must be the stored one');
    const other = defineKind({ ...base, plural: 'pots', version: 'v1', spec, storage: false });
    expect(() => crd(v2, other)).toThrow('Kettle: version v1 has another plural than version v2');
  });

  it('is written so that Kubernetes, which reads YAML 1.1, reads the same', () => {
    const object = crd(defineKind({ ...base, version: 'v1', spec }));
    expect(parse(crdYaml(object), { version: '1.1' })).toEqual(object);
    expect(crdYaml(object)).toContain('- "on"');
    expect(crdYaml(object)).toBe(crdYaml(crd(defineKind({ ...base, version: 'v1', spec }))));
  });
});

describe('reference', () => {
  it('has a row per field with what its change demands', () => {
    const kind = defineKind({
      ...base,
      version: 'v1',
      spec: z.object({
        lid: z
          .string()
          .describe('a | b\nc')
          .meta({ change: { by: 'mode', cases: { hot: 'scale' }, otherwise: 'restart' } }),
        nonce: z
          .int()
          .optional()
          .meta({ change: { demands: 'restart', ignoreAbsent: 'after' }, deprecated: true }),
        outer: z.object({ inner: z.array(z.object({ leaf: z.int32().min(0).default(3) })) }).meta({ change: 'patch' }),
        config: z.looseObject({}).meta({ change: { keys: { prefixes: [['a.', 'nothing']] } } }),
        map: z.record(z.string(), z.boolean()).nullable().meta({ secret: true }),
      }),
    });
    const rows = reference(kind)
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    expect(rows).toEqual([
      '| `spec.lid` * | string |  | scale when mode is hot, otherwise restart | a \\| b c |',
      '| `spec.nonce` | integer |  | restart; removing it demands nothing | **Deprecated.** |',
      '| `spec.outer` * | object |  | patch |  |',
      '| `spec.outer.inner` * | list of objects |  | patch |  |',
      '| `spec.outer.inner[].leaf` | integer, ≥ 0 | `3` | patch |  |',
      '| `spec.config` * | free-form object |  | `a.…`: nothing; other keys: upgrade |  |',
      '| `spec.map` * | map of booleans, or null |  | upgrade | Secret. |',
    ]);
  });
});
