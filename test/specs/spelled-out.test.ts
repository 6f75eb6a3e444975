import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { spelledOut } from './spelled-out.ts';

const hash = (text: string): string => createHash('sha224').update(text, 'utf8').digest('hex');

it('tells Secrets as text, and hashes of what the spec says as what it says', () => {
  const data = { VCAP: Buffer.from('{"name":"lane0"}').toString('base64'), bytes: '/w==' };
  expect(spelledOut({ kind: 'Secret', data })).toEqual({
    kind: 'Secret',
    data: { VCAP: '{"name":"lane0"}', bytes: '/w==' },
  });
  const named = { kind: 'CFApp', labels: { name: hash('lane0'), guid: 'lane0' }, spec: { displayName: 'lane0' } };
  expect(spelledOut(named)).toEqual({ ...named, labels: { name: 'the hash of lane0', guid: 'lane0' } });
});

it('leaves a hash of an old name, and what is in other kinds', () => {
  const old = { kind: 'CFApp', labels: { name: hash('lane0') }, spec: { displayName: 'lane1' } };
  expect(spelledOut(old)).toEqual(old);
  const config = { kind: 'ConfigMap', data: { a: 'YQ==' } };
  expect(spelledOut(config)).toEqual(config);
});
