import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseReview, ReviewError } from '../../src/control/webhooks/admission-review.ts';
import { answer, cases } from './fuzz.ts';
import { deepJson, hostileJson, hostileText, mutated, twisted } from './hostile.ts';

const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } };
const review = {
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'u',
    operation: 'UPDATE',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    userInfo: { username: 'anna' },
    dryRun: false,
    object: pod,
    oldObject: pod,
  },
};
const keys = [
  'apiVersion',
  'kind',
  'metadata',
  'request',
  'uid',
  'operation',
  'object',
  'userInfo',
  'username',
  'CREATE',
];

it('a review is a request, or refused with the status to answer', () => {
  const texts = fc.oneof(
    twisted(review, keys).map((value) => JSON.stringify(value)),
    hostileJson(keys).map((value) => JSON.stringify(value)),
    mutated([JSON.stringify(review)], keys),
    hostileText(keys),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const read = answer(() => parseReview(text), ReviewError, text.length);
      if ('error' in read) {
        expect(read.error).toHaveProperty('code', 400);
        return;
      }
      const { uid, operation, kind, user, dryRun, object, oldObject } = read.value;
      expect([typeof uid, typeof kind.kind, typeof user, typeof dryRun]).toEqual([
        'string',
        'string',
        'string',
        'boolean',
      ]);
      expect(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']).toContain(operation);
      for (const one of [object, oldObject]) if (one) expect(one.metadata).toBeTypeOf('object');
    }),
    cases(400),
  );
});

it('an object is passed on as it came, whatever its keys are and however deep it is', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostileJson(['spec', 'status']).map((value) => JSON.stringify(value)),
        fc.constant(deepJson(20_000, 'a')),
      ),
      (spec) => {
        const object = `{"apiVersion":"v1","kind":"Pod","metadata":{},"spec":${spec}}`;
        const text = JSON.stringify(review).replace(/"object":\{.*?\}\}/, `"object":${object}`);
        const read = parseReview(text);
        if (spec.length < 10_000) expect(JSON.stringify(read.object)).toBe(JSON.stringify(JSON.parse(object)));
      },
    ),
    cases(200),
  );
});
