import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Any, definitionsGo, eventually } from './api.ts';
import { definition } from './objects.ts';
import { conformance } from './server.ts';

const server = conformance();
let group = '';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = (...rest: string[]): string => server().group(`${group}/v1`, 'widgets', ...rest);
const widget = (name: string, spec: object = {}): Any => ({
  apiVersion: `${group}/v1`,
  kind: 'Widget',
  metadata: { name },
  spec,
});

const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10, default: 2 },
    mode: { type: 'string', enum: ['Fast', 'Safe'], default: 'Safe' },
    colour: { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
    port: { 'x-kubernetes-int-or-string': true },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 5 },
    parts: {
      type: 'array',
      maxItems: 10,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, weight: { type: 'integer', default: 1 }, note: { type: 'string' } },
      },
    },
    limits: { type: 'object', maxProperties: 10, additionalProperties: { type: 'integer' } },
    maybe: { type: 'string', nullable: true },
    replicas: { type: 'integer' },
    nested: { type: 'object', default: {}, properties: { depth: { type: 'integer', default: 7 } } },
  },
  'x-kubernetes-validations': [
    { rule: '!has(self.replicas) || self.replicas <= self.size', message: 'replicas may not exceed size' },
    {
      rule: 'self.mode == oldSelf.mode',
      message: 'mode is immutable',
      fieldPath: '.mode',
      reason: 'FieldValueForbidden',
    },
    {
      rule: '!has(self.limits) || self.limits.all(k, self.limits[k] < 100)',
      messageExpression: 'self.size > 1 ? "limits over 99 are refused" : "no limits here"',
    },
  ],
};

beforeAll(async () => {
  const { api, namespace } = server();
  group = `${namespace}.conformance.invalid`;
  const object = definition(group, 'widgets', 'Widget', spec, {
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
      { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1 },
    ],
  });
  object.spec.names.shortNames = ['wdg'];
  object.spec.names.categories = ['all'];
  await api.must('POST', crds, object);
  await eventually(async () => {
    const now = await api.must('GET', `${crds}/widgets.${group}`);
    expect(now.status.conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
    await api.must('GET', widgets());
  });
});

afterAll(async () => {
  await server().api.delete(`${crds}/widgets.${group}`);
});

describe('a custom resource definition', () => {
  it('reports accepted names and stored versions', async () => {
    const { api } = server();
    const { status } = await api.must('GET', `${crds}/widgets.${group}`);
    expect(status.acceptedNames).toEqual({
      plural: 'widgets',
      singular: 'widget',
      shortNames: ['wdg'],
      kind: 'Widget',
      listKind: 'WidgetList',
      categories: ['all'],
    });
    expect(status.storedVersions).toEqual(['v1']);
    expect(status.conditions.map((one: Any) => [one.type, one.status]).sort()).toEqual([
      ['Established', 'True'],
      ['NamesAccepted', 'True'],
    ]);
  });

  it.each([
    [
      'a name that is not plural.group',
      (crd: Any) => (crd.metadata.name = 'wrong'),
      'metadata.name: Invalid value: "wrong": must be spec.names.plural+"."+spec.group',
    ],
    [
      'a schema that is not structural',
      (crd: Any) => (crd.spec.versions[0].schema.openAPIV3Schema.properties.spec = { properties: {} }),
      'type: Required value: must not be empty for specified object fields',
    ],
    [
      'no storage version',
      (crd: Any) => (crd.spec.versions[0].storage = false),
      'must have exactly one version marked as storage version',
    ],
    [
      'no schema',
      (crd: Any) => delete crd.spec.versions[0].schema,
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [
      'another scope',
      (crd: Any) => (crd.spec.scope = 'Galaxy'),
      'spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"',
    ],
    [
      'a default that is not valid',
      (crd: Any) =>
        (crd.spec.versions[0].schema.openAPIV3Schema.properties.spec = {
          type: 'object',
          properties: { a: { type: 'integer', default: 'x' } },
        }),
      'must be of type integer',
    ],
    [
      'a rule that does not compile',
      (crd: Any) =>
        (crd.spec.versions[0].schema.openAPIV3Schema.properties.spec = {
          type: 'object',
          properties: { a: { type: 'integer' } },
          'x-kubernetes-validations': [{ rule: 'self.b > 1' }],
        }),
      'compilation failed',
    ],
  ])('with %s is refused', async (_, spoil, message) => {
    const { api } = server();
    const object = definition(group, 'gadgets', 'Gadget', { type: 'object' });
    spoil(object);
    const answer = await api.post(crds, object);
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(message);
  });
});

describe('an object of a custom kind', () => {
  it('gets defaults, also nested ones', async () => {
    const { api } = server();
    const made = await api.must('POST', widgets(), { ...widget('defaulted'), spec: { parts: [{ name: 'a' }] } });
    expect(made.spec).toEqual({ size: 2, mode: 'Safe', nested: { depth: 7 }, parts: [{ name: 'a', weight: 1 }] });
    expect(made.metadata.generation).toBe(1);
  });

  it('loses unknown fields, except where they are preserved', async () => {
    const { api } = server();
    const made = await api.must('POST', widgets(), {
      ...widget('pruned', { unknown: 1, free: { any: [{ thing: true }] } }),
      top: 1,
    });
    expect(made.spec.unknown).toBeUndefined();
    expect(made.top).toBeUndefined();
    expect(made.spec.free).toEqual({ any: [{ thing: true }] });
  });

  it('is refused with unknown fields when strict', async () => {
    const { api } = server();
    const answer = await api.post(`${widgets()}?fieldValidation=Strict`, widget('strict', { unknown: 1 }));
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest' });
    expect(answer.body.message).toContain('strict decoding error: unknown field "spec.unknown"');
  });

  it.each([
    [{ size: 'big' }, 'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"'],
    [{ size: 0 }, 'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'],
    [{ size: 11 }, 'spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10'],
    [{ mode: 'Slow' }, 'spec.mode: Unsupported value: "Slow": supported values: "Fast", "Safe"'],
    [{ colour: 'Red' }, 'spec.colour: Invalid value: "Red": spec.colour in body should match \'^[a-z]+$\''],
    [{ colour: 'abcdefghi' }, 'spec.colour: Too long: may not be more than 8 bytes'],
    [{ port: true }, 'spec.port'],
    [{ tags: ['a', 'a'] }, 'spec.tags[1]: Duplicate value: "a"'],
    [{ parts: [{ name: 'a' }, { name: 'a' }] }, 'spec.parts[1]: Duplicate value: {"name":"a"}'],
    [{ parts: [{ weight: 2 }] }, 'spec.parts[0].name: Required value'],
    [
      { limits: { cpu: 'x' } },
      'spec.limits.cpu: Invalid value: "string": spec.limits.cpu in body must be of type integer: "string"',
    ],
    [{ replicas: 3 }, 'spec: Invalid value: replicas may not exceed size'],
    [{ limits: { cpu: 100 } }, 'spec: Invalid value: limits over 99 are refused'],
  ])('with spec %j is refused', async (wrong, message) => {
    const { api } = server();
    const answer = await api.post(widgets(), widget('wrong', wrong));
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain(message);
  });

  it('follows transition rules', async () => {
    const { api } = server();
    await api.must('POST', widgets(), widget('moded'));
    const answer = await api.merge(widgets('moded'), { spec: { mode: 'Fast' } });
    expect(answer.body).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(answer.body.message).toContain('spec.mode: Forbidden: mode is immutable');
    expect((await api.merge(widgets('moded'), { spec: { size: 3 } })).status).toBe(200);
  });

  it('keeps a null only where it may be null', async () => {
    const { api } = server();
    const made = await api.must('POST', widgets(), widget('nulled', { maybe: null, mode: null }));
    expect(made.spec.maybe).toBeNull();
    expect(made.spec.mode).toBe('Safe');
  });

  it('takes an integer or a string where the schema says so', async () => {
    const { api } = server();
    expect((await api.must('POST', widgets(), widget('ported-1', { port: 8080 }))).spec.port).toBe(8080);
    expect((await api.must('POST', widgets(), widget('ported-2', { port: 'http' }))).spec.port).toBe('http');
  });

  it('has a status of its own, and a generation that ignores it', async () => {
    const { api } = server();
    const made = await api.must('POST', widgets(), { ...widget('told'), status: { phase: 'Claimed' } });
    expect(made.status).toBeUndefined();
    const told = await api.merge(widgets('told', 'status'), { status: { phase: 'Up' }, spec: { size: 5 } });
    expect(told.body).toMatchObject({ status: { phase: 'Up' }, spec: { size: 2 }, metadata: { generation: 1 } });
    const main = await api.merge(widgets('told'), { status: { phase: 'Down' }, spec: { size: 5 } });
    expect(main.body).toMatchObject({ status: { phase: 'Up' }, spec: { size: 5 }, metadata: { generation: 2 } });
  });

  it('scales', async () => {
    const { api } = server();
    await api.must('POST', widgets(), widget('scaled', { size: 5, replicas: 1 }));
    await api.merge(widgets('scaled', 'status'), { status: { replicas: 1, selector: 'app=w' } });
    const scale = (await api.get(widgets('scaled', 'scale'))).body;
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 1 }, status: { replicas: 1, selector: 'app=w' } });
    await api.must('PUT', widgets('scaled', 'scale'), { ...scale, spec: { replicas: 4 } });
    expect((await api.get(widgets('scaled'))).body.spec.replicas).toBe(4);
  });

  it('is applied with ownership by list key', async () => {
    const { api } = server();
    const apply = (manager: string, parts: object[]): Promise<Any> =>
      api.apply(`${widgets('applied')}?fieldManager=${manager}`, widget('applied', { parts }));
    await apply('alice', [{ name: 'a', note: 'x' }]);
    const both = await apply('bob', [{ name: 'b', note: 'y' }]);
    expect(both.body.spec.parts.map((one: Any) => one.name)).toEqual(['a', 'b']);
    const left = await apply('alice', []);
    expect(left.body.spec.parts.map((one: Any) => one.name)).toEqual(['b']);
  });

  it('is shown as a table with its own columns', async () => {
    const { api } = server();
    const { body } = await api.get(widgets('defaulted'), { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(body.kind).toBe('Table');
    expect(body.columnDefinitions.map((one: Any) => [one.name, one.priority])).toEqual([
      ['Name', 0],
      ['Size', 0],
      ['Ready', 1],
    ]);
    expect(body.rows[0].cells).toEqual(['defaulted', 2, null]);
  });

  it('can be watched and listed as its own kind', async () => {
    const { api } = server();
    const list = await api.must('GET', widgets());
    expect(list).toMatchObject({ kind: 'WidgetList', apiVersion: `${group}/v1` });
    expect(list.items[0]).toMatchObject({ kind: 'Widget', apiVersion: `${group}/v1` });
  });

  it('cannot be watched from before its kind was served: 410 inside the stream', async () => {
    const { api } = server();
    const watch = await api.watch(`${widgets()}?watch=true&resourceVersion=1`);
    expect(watch.status).toBe(200);
    const event = await watch.next();
    watch.close();
    expect(event.type).toBe('ERROR');
    expect(event.object).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' });
    expect(event.object.message).toMatch(/^too old resource version: 1 \(\d+\)$/);
  });

  it.each([
    [{ labels: { a: 1 } }, 'cannot unmarshal number into Go struct field ObjectMeta.labels of type string'],
    [{ labels: 'a' }, 'cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string'],
    [{ finalizers: [1] }, 'cannot unmarshal number into Go struct field ObjectMeta.finalizers of type string'],
    [{ finalizers: 'a/b' }, 'cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string'],
    [{ uid: 1, generation: 'x' }, 'cannot unmarshal string into Go struct field ObjectMeta.generation of type int64'],
    [
      { ownerReferences: [{ name: 1 }] },
      'cannot unmarshal number into Go struct field OwnerReference.ownerReferences.name of type string',
    ],
  ])('has metadata of the usual types: %j is a bad request', async (metadata, why) => {
    const answer = await server().api.post(widgets(), { ...widget('bad'), metadata: { name: 'bad', ...metadata } });
    const message = `Widget in version "v1" cannot be handled as a Widget: json: ${why}`;
    expect(answer.body).toMatchObject({ code: 400, reason: 'BadRequest', message });
  });

  it('needs a valid name', async () => {
    const { api } = server();
    const answer = await api.post(widgets(), widget('Not_Valid'));
    expect(answer.body.message).toContain(
      `metadata.name: Invalid value: "Not_Valid": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'`,
    );
  });

  it('cannot be patched strategically', async () => {
    const { api } = server();
    expect((await api.strategic(widgets('defaulted'), { spec: { size: 4 } })).body).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
    });
  });
});

describe('definitions come and go', () => {
  it('serves a second version of the same object', definitionsGo, async () => {
    const { api } = server();
    const object = definition(group, 'twins', 'Twin', { type: 'object', properties: { a: { type: 'string' } } });
    object.spec.versions.push({ ...object.spec.versions[0], name: 'v2', storage: false });
    await api.must('POST', crds, object);
    const at = (version: string, ...rest: string[]): string => server().group(`${group}/${version}`, 'twins', ...rest);
    await eventually(() => api.must('GET', at('v2')));
    await api.must('POST', at('v1'), {
      apiVersion: `${group}/v1`,
      kind: 'Twin',
      metadata: { name: 'one' },
      spec: { a: 'b' },
    });
    expect((await api.get(at('v2', 'one'))).body).toMatchObject({ apiVersion: `${group}/v2`, spec: { a: 'b' } });
    await api.must('DELETE', `${crds}/twins.${group}`);
    await eventually(async () => expect((await api.get(at('v1'))).status).toBe(404), definitionsGo.limitMs);
  });

  it('deletes the objects with their definition', definitionsGo, async () => {
    const { api } = server();
    const object = definition(group, 'mayflies', 'Mayfly', { type: 'object' });
    await api.must('POST', crds, object);
    const path = server().group(`${group}/v1`, 'mayflies');
    await eventually(() => api.must('GET', path));
    await api.must('POST', path, { apiVersion: `${group}/v1`, kind: 'Mayfly', metadata: { name: 'one' } });
    await api.must('DELETE', `${crds}/mayflies.${group}`);
    const gone = async (): Promise<void> => expect((await api.get(`${crds}/mayflies.${group}`)).status).toBe(404);
    await eventually(gone, definitionsGo.limitMs);
    await api.must('POST', crds, object);
    await eventually(async () => expect((await api.must('GET', path)).items).toEqual([]));
    await api.must('DELETE', `${crds}/mayflies.${group}`);
  });
});
