import { expect, it } from 'vitest';
import { parseReview, ReviewError } from './admission-review.ts';

const request = { uid: 'u', operation: 'CREATE', kind: { group: '', version: 'v1', kind: 'Pod' }, userInfo: {} };

it.each([
  ['a text that cannot be measured', { ...request, uid: { length: { toString: 0 } } }],
  ['a number for a text', { ...request, uid: 7 }],
  ['an object without metadata', { ...request, object: { apiVersion: 'v1', kind: 'Pod' } }],
])('refuses %s', (_, wrong) => {
  const text = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: wrong });
  expect(() => parseReview(text)).toThrow(ReviewError);
});
