import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestServer } from './test-server.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const lamps = '/apis/example.dev/v1/namespaces/default/lamps';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.example.dev' },
  spec: {
    group: 'example.dev',
    scope: 'Namespaced',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: ['v1', 'v1beta1'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: { watts: { type: 'integer', minimum: 1 }, colour: { type: 'string', default: 'warm' } },
            },
            status: { type: 'object', properties: { lit: { type: 'boolean' } } },
          },
        },
      },
    })),
  },
};
const lamp = (spec: object = {}): object => ({
  apiVersion: 'example.dev/v1',
  kind: 'Lamp',
  metadata: { name: 'l' },
  spec,
});

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
  expect((await server.ask('POST', definitions, definition)).status).toBe(201);
  await server.clock.advance(10);
});
afterEach(async () => {
  expect(server.troubles).toEqual([]);
  await server.close();
});

describe('a custom resource', () => {
  it('is served once its definition is established, with its defaults, pruning and validation', async () => {
    const { status } = (await server.ask('GET', `${definitions}/lamps.example.dev`)).body;
    expect(status.conditions.map((one: { type: string; status: string }) => `${one.type} ${one.status}`)).toEqual([
      'NamesAccepted True',
      'Established True',
    ]);
    const { body } = await server.ask('POST', lamps, { ...lamp({ watts: 5, odd: 1 }), status: { lit: true } });
    expect(body.spec).toEqual({ watts: 5, colour: 'warm' });
    expect(body.status).toBeUndefined();
    const wrong = await server.merge(`${lamps}/l`, { spec: { watts: 0 } });
    expect(wrong.body).toMatchObject({ code: 422, reason: 'Invalid' });
  });

  it('needs a resourceVersion to be updated', async () => {
    const { body } = await server.ask('POST', lamps, lamp());
    expect((await server.ask('PUT', `${lamps}/l`, lamp({ watts: 2 }))).body.message).toBe(
      'lamps.example.dev "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
    const { resourceVersion } = body.metadata;
    const object = { ...lamp({ watts: 2 }), metadata: { name: 'l', resourceVersion } };
    expect((await server.ask('PUT', `${lamps}/l`, object)).status).toBe(200);
  });

  it('is the same object in every version', async () => {
    await server.ask('POST', lamps, lamp({ watts: 5 }));
    const beta = lamps.replace('/v1/', '/v1beta1/');
    const seen = (await server.ask('GET', `${beta}/l`)).body;
    expect(seen).toMatchObject({ apiVersion: 'example.dev/v1beta1', kind: 'Lamp', spec: { watts: 5 } });
    const list = (await server.ask('GET', beta)).body;
    expect(list.items[0].apiVersion).toBe('example.dev/v1beta1');
  });

  it('changes only its status through status, and everything else only past it', async () => {
    await server.ask('POST', lamps, lamp({ watts: 5 }));
    const lit = await server.merge(`${lamps}/l/status`, { spec: { watts: 9 }, status: { lit: true } });
    expect(lit.body).toMatchObject({ spec: { watts: 5 }, status: { lit: true }, metadata: { generation: 1 } });
    const brighter = await server.merge(`${lamps}/l`, { spec: { watts: 9 }, status: { lit: false } });
    expect(brighter.body).toMatchObject({ spec: { watts: 9 }, status: { lit: true }, metadata: { generation: 2 } });
  });

  it('goes with its definition', async () => {
    await server.ask('POST', lamps, lamp());
    expect((await server.ask('DELETE', `${definitions}/lamps.example.dev`)).status).toBe(200);
    await server.clock.advance(10);
    expect((await server.ask('GET', `${definitions}/lamps.example.dev`)).status).toBe(404);
    expect((await server.ask('GET', lamps)).text).toBe('404 page not found\n');
  });

  it('keeps its definition alive while a finalizer keeps it', async () => {
    await server.ask('POST', lamps, { ...lamp(), metadata: { name: 'l', finalizers: ['x.io/hold'] } });
    await server.ask('DELETE', `${definitions}/lamps.example.dev`);
    await server.clock.advance(10);
    const { metadata } = (await server.ask('GET', `${definitions}/lamps.example.dev`)).body;
    expect(metadata.finalizers).toEqual(['customresourcecleanup.apiextensions.k8s.io']);
    await server.merge(`${lamps}/l`, { metadata: { finalizers: null } });
    await server.clock.advance(10);
    expect((await server.ask('GET', `${definitions}/lamps.example.dev`)).status).toBe(404);
  });
});
