import { describe, expect, it } from 'vitest';
import { checkValues, knownWords } from '../../src/install/check-values.ts';
import { isMap } from '../../src/install/merge-values.ts';
import type { Json, JsonObject } from '../../src/kube/object.ts';
import { controllerNames, familyNames } from '../../src/main/families.ts';
import { version } from '../../src/main/version.ts';
import { chart, everything } from './rendered.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema & { readonly enum?: readonly string[] };
  readonly [word: string]: unknown;
}

const schema = chart.schema as unknown as Schema;

/** `image.tag` and so on. A map that takes any name has no paths below it. */
function pathsOfSchema({ properties = {} }: Schema, path = ''): readonly string[] {
  return Object.entries(properties).flatMap(([name, below]) => {
    const at = path === '' ? name : `${path}.${name}`;
    return below.properties ? pathsOfSchema(below, at) : [at];
  });
}

function pathsOfValues(values: JsonObject, below: Schema, path = ''): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const inner = below.properties?.[name];
    return isMap(value) && inner?.properties ? pathsOfValues(value, inner, at) : [at];
  });
}

function everySchema(one: Schema): readonly Schema[] {
  const { properties = {}, additionalProperties, items } = one;
  const inner = [...Object.values(properties), ...(items ? [items] : [])];
  const more = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [one, ...[...inner, ...more].flatMap(everySchema)];
}

describe('the schema of values', () => {
  it('has every value of values.yaml and no other, but amounts that have no default', () => {
    const optional = [
      'resources.requests.ephemeral-storage',
      'resources.limits.cpu',
      'resources.limits.ephemeral-storage',
    ];
    const inSchema = pathsOfSchema(schema).filter((path) => !optional.includes(path));
    expect(pathsOfValues(chart.values, schema).toSorted()).toEqual(inSchema.toSorted());
  });

  it('takes the defaults, and everything', () => {
    expect(checkValues(chart.schema, chart.values)).toEqual([]);
    expect(checkValues(chart.schema, everything)).toEqual([]);
  });

  it('uses only words that both Helm and we know, and refuses names that it does not have', () => {
    for (const one of everySchema(schema)) {
      expect(knownWords).toEqual(expect.arrayContaining(Object.keys(one)));
      if (one.properties) expect(one.additionalProperties).toBe(false);
    }
  });

  it('knows the families and the controllers that the program has', () => {
    expect(Object.keys(schema.properties?.families?.properties ?? {})).toEqual(familyNames);
    for (const list of ['switchedOff', 'takeover']) {
      expect(schema.properties?.[list]?.items?.enum).toEqual(controllerNames);
    }
  });

  it('is of the version of the program', () => {
    expect([chart.version, chart.appVersion]).toEqual([version, version]);
  });

  it.each<[JsonObject, string]>([
    [{ families: { flinkk: true } }, 'families.flinkk: there is no such value. Did you mean "flink"?'],
    [{ replicas: 0 }, 'replicas: 0 is too little; write 1 or more'],
    [
      { resources: { limits: { memory: '0.5Gi' } } },
      'resources.limits.memory: "0.5Gi" cannot be used: an amount such as 512Mi or 1Gi',
    ],
    [{ watchNamespaces: ['Shop'] }, 'watchNamespaces[0]: "Shop" cannot be used: the name of a namespace'],
  ])('says what is wrong with %j', (values, message) => {
    expect(checkValues(chart.schema, values as Json as JsonObject)).toEqual([message]);
  });
});
