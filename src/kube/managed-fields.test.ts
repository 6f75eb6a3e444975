import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWithoutManagedFields } from './managed-fields.ts';

const slim = (event: unknown): unknown => JSON.parse(textWithoutManagedFields(Buffer.from(JSON.stringify(event))));

describe('the text of an event without managed fields', () => {
  it.each([
    ['last', { name: 'a', managedFields: [{ manager: 'x' }] }],
    ['first', { managedFields: [{ manager: 'x' }], name: 'a' }],
    ['in the middle', { generation: 1, managedFields: [{ a: ']"\\' }], name: 'a' }],
    ['alone', { managedFields: [] }],
  ])('lacks them when they are %s', (_, metadata: object) => {
    const { managedFields: _dropped, ...rest } = metadata as { managedFields: unknown };
    const around = { apiVersion: 'v1', kind: 'Pod' };
    expect(slim({ type: 'ADDED', object: { ...around, metadata, spec: { a: [1] } } })).toEqual({
      type: 'ADDED',
      object: { ...around, metadata: rest, spec: { a: [1] } },
    });
  });

  it('keeps fields of that name elsewhere, and texts that look like them', () => {
    const event = {
      type: 'ADDED',
      object: {
        metadata: { annotations: { managedFields: 'x', 'a"managedFields': '"managedFields":[' }, name: 'a' },
        spec: { metadata: { managedFields: [1] }, managedFields: [2] },
      },
    };
    expect(slim(event)).toEqual(event);
  });

  it('is untouched when it is not what an API server sends', () => {
    for (const text of ['', '{', '[]', '{"object":', '{ "object": {} }', '{"object":{"metadata":{"managedFields":[']) {
      expect(textWithoutManagedFields(Buffer.from(text))).toBe(text);
    }
  });

  it('is the same event otherwise, whatever is in it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        fc.boolean(),
        (before, after, fields, has) => {
          const metadata = { ...before, ...(has && { managedFields: fields }), ...after };
          const { managedFields: _dropped, ...rest } = metadata as { managedFields?: unknown };
          const wrap = (inner: unknown): unknown => ({
            type: 'ADDED',
            object: { kind: 'x', metadata: inner, more: before },
          });
          expect(slim(wrap(metadata))).toEqual(JSON.parse(JSON.stringify(wrap(rest))));
        },
      ),
    );
  });
});
