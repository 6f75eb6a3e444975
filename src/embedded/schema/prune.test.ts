import { describe, expect, it } from 'vitest';
import { prune } from './prune.ts';
import type { Schema } from './schema.ts';

const text: Schema = { type: 'string' };

describe('prune', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          name: text,
          containers: { type: 'array', items: { type: 'object', properties: { name: text } } },
          labels: { type: 'object', additionalProperties: text },
          parts: { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
          free: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { known: { type: 'object', properties: { a: text } } },
          },
          object: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
        },
      },
    },
  };

  it('drops what the schema does not know, and says where it was', () => {
    const draft = {
      spec: {
        name: 'a',
        foo: 1,
        containers: [{ name: 'x' }, { name: 'y', bar: { deep: [1] } }],
        labels: { any: 'thing' },
        parts: { p: { a: '1', b: '2' } },
        free: { x: { y: 1 }, known: { a: '1', b: '2' } },
        object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', nope: 1 }, other: 1 },
      },
      zzz: {},
    };
    expect(prune(schema, draft)).toEqual([
      'spec.containers[1].bar',
      'spec.foo',
      'spec.free.known.b',
      'spec.object.metadata.nope',
      'spec.object.other',
      'spec.parts.p.b',
      'zzz',
    ]);
    expect(draft).toEqual({
      spec: {
        name: 'a',
        containers: [{ name: 'x' }, { name: 'y' }],
        labels: { any: 'thing' },
        parts: { p: { a: '1' } },
        free: { x: { y: 1 }, known: { a: '1' } },
        object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
      },
    });
  });

  it('drops __proto__ and constructor like any other unknown field', () => {
    const draft = JSON.parse('{"spec":{"__proto__":{"x":1},"constructor":{"y":1},"name":"a"}}');
    expect(prune(schema, draft)).toEqual(['spec.__proto__', 'spec.constructor']);
    expect(JSON.stringify(draft)).toBe('{"spec":{"name":"a"}}');
  });

  it('follows a cyclic schema only as far as the value goes', () => {
    const node: { -readonly [K in keyof Schema]: Schema[K] } = { type: 'object' };
    node.properties = { child: node, name: text };
    const draft = { child: { child: { name: 'x', foo: 1 } } };
    expect(prune(node, draft)).toEqual(['child.child.foo']);
  });
});
