import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configMap, TestServer } from '../registry/test-server.ts';

const maps = '/api/v1/namespaces/default/configmaps';
let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
  await server.ask('POST', maps, configMap('a', { x: '1' }));
});
afterAll(() => server.close());

const merge = { 'content-type': 'application/merge-patch+json' };
const yaml = { 'content-type': 'application/yaml' };

describe('bad input gets a Status and changes nothing', () => {
  it.each<[string, 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, string, Record<string, string>, number, RegExp]>([
    ['cut-off JSON', 'POST', maps, '{"metadata":{"name"', {}, 400, /json parse error: .*position|end of JSON/],
    ['no body', 'POST', maps, '', {}, 400, /unexpected end of JSON input \(<empty>\)/],
    ['a list', 'POST', maps, '[]', {}, 400, /cannot unmarshal array/],
    ['a number as name', 'POST', maps, '{"metadata":{"name":7}}', {}, 400, /cannot unmarshal number/],
    ['text as metadata', 'POST', maps, '{"metadata":"x"}', {}, 400, /metadata of type v1.ObjectMeta/],
    ['another kind', 'POST', maps, '{"kind":"Pod","apiVersion":"v1"}', {}, 400, /cannot be handled as a ConfigMap/],
    [
      'another version',
      'POST',
      maps,
      '{"kind":"ConfigMap","apiVersion":"v9"}',
      {},
      400,
      /no kind "ConfigMap" is registered/,
    ],
    ['too deep', 'POST', maps, `{"data":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`, {}, 400, /exceeded max depth/],
    ['too long', 'POST', maps, ' '.repeat(3 * 1024 * 1024 + 1), {}, 413, /Request entity too large: limit is 3145728/],
    ['an unknown format', 'POST', maps, 'x', { 'content-type': 'text/plain' }, 415, /unknown format/],
    ['broken YAML', 'POST', maps, 'metadata: {name: [', yaml, 400, /yaml: line 1/],
    ['YAML that explodes', 'POST', maps, bomb(), yaml, 400, /yaml: /],
    [
      'protobuf that is none',
      'POST',
      maps,
      'k8s',
      { 'content-type': 'application/vnd.kubernetes.protobuf' },
      400,
      /protobuf/,
    ],
    ['a broken patch', 'PATCH', `${maps}/a`, '{', merge, 400, /invalid JSON patch/],
    ['a patch of wrong types', 'PATCH', `${maps}/a`, '{"data":{"x":1}}', merge, 422, /cannot unmarshal number/],
    ['an unknown patch', 'PATCH', `${maps}/a`, '{}', { 'content-type': 'text/plain' }, 415, /Unsupported Media Type/],
    ['a broken escape', 'POST', '/api/v1/namespaces/%E0%A4%A/configmaps', '{}', {}, 400, /invalid URL escape/],
    [
      'odd delete options',
      'DELETE',
      `${maps}/a`,
      '{"propagationPolicy":"Now"}',
      {},
      422,
      /propagationPolicy: Unsupported/,
    ],
    ['an odd dry run', 'PUT', `${maps}/a?dryRun=some`, '{}', {}, 422, /dryRun: Unsupported value: \["some"\]/],
  ])('%s', async (_, method, path, body, headers, code, message) => {
    const before = (await server.ask('GET', maps)).text;
    const reply = await server.ask(method, path, body, headers);
    expect(reply.body).toMatchObject({ kind: 'Status', status: 'Failure', code });
    expect(reply.body.message).toMatch(message);
    expect((await server.ask('GET', maps)).text).toBe(before);
    expect(server.troubles).toEqual([]);
  });

  it('does not let keys reach into prototypes, by any way of writing', async () => {
    const evil = '{"metadata":{"name":"evil","labels":{"__proto__":"x"}},"data":{"__proto__":"y","constructor":"z"}}';
    await server.ask('POST', maps, evil);
    const patch = '{"data":{"__proto__":"p","constructor":"q"},"metadata":{"annotations":{"__proto__":"r"}}}';
    await server.ask('PATCH', `${maps}/a`, patch, merge);
    await server.ask('PATCH', `${maps}/a`, patch, { 'content-type': 'application/strategic-merge-patch+json' });
    const add = '[{"op":"add","path":"/data/__proto__","value":"j"},{"op":"add","path":"/__proto__/x","value":"k"}]';
    await server.ask('PATCH', `${maps}/a`, add, { 'content-type': 'application/json-patch+json' });
    await server.apply(
      `${maps}/a`,
      'm',
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"__proto__":"s"}}`,
    );
    expect(Object.keys({})).toEqual([]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
    expect(Object.prototype.constructor).toBe(Object);
    const { text } = await server.ask('GET', `${maps}/a`);
    expect(JSON.parse(text).metadata.name).toBe('a');
    expect(server.troubles).toEqual([]);
  });
});

/** Nine lists of nine references each: a few hundred bytes that would be billions of values. */
function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 10; i++)
    lines.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  return lines.join('\n');
}
