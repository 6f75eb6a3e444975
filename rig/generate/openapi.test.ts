import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { generateOpenApi } from './openapi.ts';
import { parseGo, parseProto } from './protobuf.ts';
import { served } from './served.ts';

const unpack = (text: string | undefined) =>
  JSON.parse(brotliDecompressSync(Buffer.from(/'(.*)'/.exec(text ?? '')?.[1] ?? '', 'base64')).toString());

/** A server that serves everything there is, and one thing too many. */
const fetchJson = async (path: string): Promise<unknown> => {
  const openapi = path.startsWith('/openapi/v3/');
  const root = openapi ? path.slice('/openapi/v3/'.length) : path.slice(1);
  const [kind, ...rest] = root.split('/');
  const group = kind === 'apis' ? rest[0] : '';
  const version = rest.at(-1);
  const { resources = {} } = served.find((each) => each.group === group && each.version === version) ?? {};
  if (!openapi) {
    const entry = (name: string) => ({ name, singularName: 'x', namespaced: true, kind: `K${name}`, verbs: ['get'] });
    return {
      resources: Object.entries(resources).flatMap(([plural, subs]) =>
        [plural, ...subs.map((sub) => `${plural}/${sub}`)].map(entry),
      ),
    };
  }
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const paths = Object.fromEntries(
    Object.keys(resources).map((plural) => [`/${root}/${plural}`, { get: reference('Used') }]),
  );
  const schemas = {
    Used: {
      description: 'long',
      type: 'object',
      properties: {
        description: { type: 'string', description: 'its own', default: '' },
        inner: { allOf: [reference('Inner')], default: {}, description: 'x' },
        port: { type: 'string', default: 'TCP' },
      },
    },
    Inner: { description: 'anything' },
    Unused: { type: 'object' },
  };
  return {
    openapi: '3.0.0',
    paths: { ...paths, [`/${root}/strangers`]: { get: reference('Unused') } },
    components: { schemas },
  };
};

describe('generateOpenApi', () => {
  it('keeps what is served with the schemas it needs, and nothing else', async () => {
    const files = await generateOpenApi({ fetchJson });
    const document = unpack(files.get('explain/apps.v1.ts'));
    expect(Object.keys(document.paths)).toContain('/apis/apps/v1/deployments');
    expect(Object.keys(document.paths)).not.toContain('/apis/apps/v1/strangers');
    expect(Object.keys(document.components.schemas)).toEqual(['Used', 'Inner']);
    expect(document.components.schemas.Used.description).toBe('long');
  });

  it('makes schemas to validate by: no descriptions, no zero defaults', async () => {
    const files = await generateOpenApi({ fetchJson });
    expect(unpack(files.get('schemas.ts'))).toEqual({
      Used: {
        type: 'object',
        properties: {
          description: { type: 'string' },
          inner: { default: {}, allOf: [{ $ref: '#/components/schemas/Inner' }] },
          port: { type: 'string', default: 'TCP' },
        },
      },
      Inner: { 'x-kubernetes-preserve-unknown-fields': true },
    });
  });

  it('fails when the server does not serve what the embedded one promises', async () => {
    const lacking = async (path: string) => (path === '/apis/apps/v1' ? { resources: [] } : fetchJson(path));
    await expect(generateOpenApi({ fetchJson: lacking })).rejects.toThrow(
      'does not serve controllerrevisions in apps/v1',
    );
  });
});

describe('parseProto', () => {
  it('reads fields, lists, maps and types of other packages', () => {
    const text = [
      'package k8s.io.api.core.v1;',
      'message Pod {',
      '  // what it is called',
      '  optional .k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta metadata = 1;',
      '  repeated Container containers = 2;',
      '  map<string, bytes> data = 3;',
      '  map<string, .k8s.io.apimachinery.pkg.api.resource.Quantity> limits = 4;',
      '}',
    ].join('\n');
    expect(parseProto(text).get('Pod')).toEqual([
      { number: 1, name: 'metadata', type: 'meta.v1.ObjectMeta' },
      { number: 2, name: 'containers', type: '[]core.v1.Container' },
      { number: 3, name: 'data', type: '{}bytes' },
      { number: 4, name: 'limits', type: '{}resource.Quantity' },
    ]);
  });
});

describe('parseGo', () => {
  it('reads names, inlining and whether zero means something', () => {
    const text = [
      'type Volume struct {',
      '\tName string `json:"name" protobuf:"bytes,1,opt,name=name"`',
      '\tVolumeSource `json:",inline" protobuf:"bytes,2,opt,name=volumeSource"`',
      '\tSize *int32 `json:"size,omitempty" protobuf:"varint,3,opt,name=size"`',
      '\tMode string `json:"mode,omitempty" protobuf:"bytes,4,opt,name=mode,casttype=Mode"`',
      '\tHidden string `json:"hidden"`',
      '}',
      'type Names []string',
    ].join('\n');
    const { structs, slices } = parseGo(text);
    expect([...(structs.get('Volume') ?? [])]).toEqual([
      [1, { json: 'name', inline: false, keepsZero: true }],
      [2, { json: '', inline: true, keepsZero: true }],
      [3, { json: 'size', inline: false, keepsZero: true }],
      [4, { json: 'mode', inline: false, keepsZero: false }],
    ]);
    expect([...slices]).toEqual(['Names']);
  });
});
