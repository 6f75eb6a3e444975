import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { explain } from './explain.ts';
import { GRAPH_LIMITS } from './graph.ts';
import { graphOf } from './graph-of.ts';
import { cassandra, kafka, statefulSet, versionOf } from './versions.fixture.ts';

/** Where a JSON value can be broken. */
function ways(value: unknown, way: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [way];
  return [way, ...Object.entries(value).flatMap(([key, item]) => ways(item, [...way, key]))];
}

function broken(value: unknown, [first, ...rest]: readonly string[], junk: unknown): unknown {
  if (first === undefined) return junk;
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === first ? broken(item, rest, junk) : item));
  return { ...(value as object), [first]: broken((value as Record<string, unknown>)[first], rest, junk) };
}

const junk = fc.constantFrom<unknown>(
  null,
  undefined,
  7,
  true,
  '',
  'x',
  [],
  {},
  [null],
  { a: null },
  '{{',
  '{{ .Params }}',
);

describe('a version of whatever shape', () => {
  it.each([
    ['cassandra', cassandra],
    ['kafka', kafka],
  ])('has a graph and explanations: %s', (_, version) => {
    const places = ways(version.spec).filter((way) => way.length > 0);
    fc.assert(
      fc.property(fc.constantFrom(...places), junk, (way, thing) => {
        const operatorVersion = { ...version, spec: broken(version.spec, way, thing) } as OperatorVersion;
        const limits = { ...GRAPH_LIMITS, probes: 20 };
        expect(graphOf({ operatorVersion, parameters: {}, limits }).nodes).toBeDefined();
        expect(explain({ operatorVersion }, { from: {}, to: { NODE_COUNT: '5', HEAP_SIZE: '1' } })).toBeDefined();
      }),
      { numRuns: 200 },
    );
  });
});

describe('a package that wants too much', () => {
  it('has a graph all the same, without what was too much', () => {
    const operatorVersion = versionOf({
      templates: {
        'loop.yaml': '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
        'long.yaml': 'a: {{ repeat 100000000 .Params.P }}',
        'deep.yaml': `a: ${'['.repeat(20_000)}`,
        'aliases.yaml': `a: &a [x]\n${Array.from({ length: 30 }, (_, at) => `b${at}: &b${at} [*${at === 0 ? 'a' : `b${at - 1}`}, *${at === 0 ? 'a' : `b${at - 1}`}]\n`).join('')}`,
      },
      parameters: [{ name: 'P', default: 'x' }],
    });
    const { nodes } = graphOf({ operatorVersion, parameters: {} });
    const templates = nodes.filter(({ type }) => type === 'template');
    expect(templates).toHaveLength(4);
    for (const template of templates) expect(template).toHaveProperty('broken');
  });
});

describe('many workloads of one template, and many parameters that change at once', () => {
  const names = Array.from({ length: 20 }, (_, at) => `P${at}`);
  const env = names.map((name) => `{name: ${name}, value: "{{ $.Params.${name} }}"}`).join(', ');
  const set = statefulSet({ name: 'set-{{ $at }}', env });
  const operatorVersion = versionOf({
    templates: { 'sets.yaml': `{{ range $at := until 10 }}---\n${set}{{ end }}` },
    parameters: names.map((name) => ({ name, default: 'a' })),
  });
  const valued = (value: string) => Object.fromEntries(names.map((name) => [name, value]));
  const change = { from: valued('a'), to: valued('b') };
  const plenty = { renderings: 1000, work: 100_000_000 };

  it('are told apart by rendering the template once for each, not for each workload', () => {
    const reasons = explain({ operatorVersion }, change, { plans: plenty, blame: { ...plenty, renderings: 41 } });
    expect(reasons).toHaveLength(10);
    for (const { causes } of reasons) expect(causes.map(({ parameters }) => parameters)).toEqual(names.map((n) => [n]));
  });

  it.each([{ renderings: 40 }, { work: 50_000 }])('are all to blame if that is too much: %j', (limit) => {
    const reasons = explain({ operatorVersion }, change, { plans: plenty, blame: { ...plenty, ...limit } });
    expect(reasons).toHaveLength(10);
    for (const { causes } of reasons) expect(causes.map(({ parameters }) => parameters)).toEqual([names.toSorted()]);
  });

  it.each([{ renderings: 0 }, { work: 1000 }, { work: 5000 }])(
    'are not explained if already the plan is too much: %j',
    (limit) => {
      expect(explain({ operatorVersion }, change, { plans: { ...plenty, ...limit }, blame: plenty })).toEqual([]);
    },
  );

  it('have a graph that says what it lacks', () => {
    const graph = graphOf({ operatorVersion, parameters: {}, limits: { ...GRAPH_LIMITS, work: 50_000 } });
    expect(graph.incomplete).toBe(true);
    expect(graphOf({ operatorVersion, parameters: {} }).incomplete).toBeUndefined();
  });
});
