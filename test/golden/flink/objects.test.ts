import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { equal } from '../../../src/change/equal.ts';
import { sameQuantity } from '../../../src/change/quantity.ts';
import { flatConfig } from '../../../src/flink/config/flink-config.ts';
import { clusterObjects } from '../../../src/flink/manifests/cluster-objects.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { expectListed, type Found } from './expect-listed.ts';
import { lineDiff, linesOf, theirDiff } from './line-diff.ts';
import { type GoldenCase, goldenCases } from './load.ts';
import { type Deployed, objectsOf, planOf } from './planned.ts';

const deployments = goldenCases().filter(({ kind }) => kind === 'FlinkDeployment');

/** The sides of blue/green deployments, as the FlinkDeployments that they are. */
const sides = goldenCases()
  .filter(({ kind }) => kind === 'FlinkBlueGreenDeployment')
  .flatMap((golden) => {
    const sent = golden.sent.filter(({ kind }) => kind !== 'FlinkDeployment' && kind !== 'Ingress');
    const found = golden.sent.filter(({ kind }) => kind === 'FlinkDeployment');
    return found.map((side) => ({ ...golden, input: side as GoldenCase['input'], sent, edits: [] }));
  });

describe('objects of a cluster', () => {
  it('are those that the Java operator sent', () => {
    const made = [...deployments, ...sides].filter(({ sent }) => sent.length > 0);
    expectListed(
      'objects',
      made.flatMap((golden) => comparedWithSent(golden)),
    );
  });

  it('change with an edit as they did for the Java operator', () => {
    const found = comparedWithEdits();
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ theirs, ours }) => !equal(theirs, ours))).toEqual([]);
  });

  it('are made of every resource, or the reason is said why not', () => {
    for (const golden of deployments) {
      const made = clusterObjects(planOf(golden, golden.input.spec));
      if ('problem' in made) expect(made.problem).toMatch(/^(spec\.|flinkConfiguration: ).*; write /);
      else expect(made.jobManager.kind).toBe('Deployment');
    }
  });
});

/** `ConfigMap/flink-config-NAME`, so that all cases speak of the same objects. */
function nameOf(object: AnyObject, { input }: GoldenCase): string {
  const name = object.metadata.name ?? '';
  return `${object.kind}/${name.replace(input.metadata.name ?? '', 'NAME')}`;
}

function comparedWithSent(golden: GoldenCase): Found[] {
  const ours = new Map(objectsOf(planOf(golden, golden.input.spec)).map((one) => [nameOf(one, golden), one]));
  // HA metadata was made by the rig that recorded, in the place of Flink.
  const sent = golden.sent.filter(({ metadata }) => metadata.labels?.['configmap-type'] !== 'high-availability');
  const theirs = new Map(sent.map((one) => [nameOf(one, golden), one]));
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) =>
    differencesBetween(comparable(theirs.get(name)), comparable(ours.get(name)), name).map(({ path, detail }) => ({
      case: golden.name,
      where: general.find(([pattern]) => pattern.test(path))?.[1] ?? path,
      detail: `${path}: ${detail}`,
    })),
  );
}

/** Differences that occur in many places, in one word. */
const general: readonly (readonly [RegExp, string])[] = [
  [/^ConfigMap\/autoscaler-/, 'the ConfigMap of the autoscaler'],
  [/\.metadata\.annotations(\.cutover\.dev\/id)?$/, 'the annotation cutover.dev/id'],
  [/\.data\.configuration file$|\.items\.(flink-conf|config)\.yaml$/, 'config.yaml instead of flink-conf.yaml'],
  [/\.template\.spec\.hostNetwork$/, 'hostNetwork: false'],
  [/\.kubernetes\.pod-template-file\./, 'paths of pod template files'],
  [/\.(volumes|volumeMounts) order$/, 'order of secrets'],
  [/\.env repeated names$/, 'variables that are set twice'],
  [/ spelling of quantities$/, 'spelling of quantities'],
  [/\.(volumes|volumeMounts)\.user-lib-dir$/, 'an empty directory over the jar'],
];

/** Configuration as a map, in whichever file it is, and nothing that says where rather than what. */
function comparable(object: AnyObject | undefined): unknown {
  if (!object) return undefined;
  const { namespace: _, ...metadata } = object.metadata;
  if (object.kind !== 'ConfigMap') return { ...object, metadata };
  const data = Object.entries(object.data ?? {}).flatMap(([name, text]) => fileContent(name, `${text}`));
  return { ...object, metadata, data: Object.fromEntries(data) };
}

function fileContent(name: string, text: string): [string, unknown][] {
  const hidden = text
    .replaceAll(/(job-result-store\/[^/\s]+)\/<random>/g, '$1/id')
    .replaceAll('uid:<random>', 'uid:<uid>');
  switch (name) {
    case 'flink-conf.yaml':
      return [...configuration(hidden.split('\n').filter(Boolean).map(keyAndValue)), ['configuration file', name]];
    case 'config.yaml':
      return [...configuration([...flatConfig(parse(hidden))]), ['configuration file', name]];
    case 'taskmanager-pod-template.yaml':
      return [[name, parse(hidden)]];
    default:
      return [[name, hidden]];
  }
}

function keyAndValue(line: string): [string, string] {
  const at = line.indexOf(': ');
  return at < 0 ? [line.replace(/:$/, ''), ''] : [line.slice(0, at), line.slice(at + 2)];
}

/** Maps in one line are maps: their order is that of a hash table. */
const mapsInOneLine = ['kubernetes.jobmanager.annotations', 'kubernetes.jobmanager.owner.reference'];

/** An empty list is no key in YAML, and a key without a value in lines. */
function configuration(entries: readonly (readonly [string, string])[]): [string, unknown][] {
  const kept = entries.filter(([key, value]) => value !== '' || key !== '$internal.application.program-args');
  const values = kept.map(([key, value]) =>
    mapsInOneLine.includes(key)
      ? [key, Object.fromEntries(value.split(',').map((one) => one.split(':')))]
      : [key, value.trimEnd()],
  );
  return [['configuration', Object.fromEntries(values)]];
}

interface Differing {
  readonly path: string;
  readonly detail: string;
}

function differencesBetween(theirs: unknown, ours: unknown, path: string): Differing[] {
  if (equal(theirs, ours)) return [];
  if (Array.isArray(theirs) && Array.isArray(ours)) return differencesOfLists(theirs, ours, path);
  if (isObject(theirs) && isObject(ours)) {
    return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].flatMap((key) =>
      differencesBetween(theirs[key], ours[key], `${path}.${key}`),
    );
  }
  const detail = `${JSON.stringify(theirs)} → ${JSON.stringify(ours)}`;
  if (/\.(requests|limits)\./.test(path) && sameQuantity(theirs, ours)) {
    return [{ path: `${path} spelling of quantities`, detail }];
  }
  return [{ path, detail }];
}

/** Elements with names by their names. */
function differencesOfLists(theirs: readonly unknown[], ours: readonly unknown[], path: string): Differing[] {
  const key = ['name', 'key'].find((one) => [...theirs, ...ours].every((item) => isObject(item) && one in item));
  const detail = `${JSON.stringify(theirs)} → ${JSON.stringify(ours)}`;
  if (key === undefined) return [{ path, detail }];
  const named = (list: readonly unknown[]) =>
    Object.fromEntries(list.map((item, index) => [isObject(item) ? item[key] : index, item]));
  const inside = differencesBetween(named(theirs), named(ours), path);
  if (inside.length > 0) return inside;
  return theirs.length === ours.length
    ? [{ path: `${path} order`, detail }]
    : [{ path: `${path} repeated names`, detail }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What an edit changed in each object, line by line: in the recording and in ours. */
function comparedWithEdits(): readonly {
  readonly where: string;
  readonly theirs: string[];
  readonly ours: string[];
}[] {
  return deployments.flatMap((golden) => {
    let before: Deployed = deployedFrom(golden, golden.input.spec, 1);
    return golden.edits.flatMap(({ name, after, changes }) => {
      const remade = changes.objects.filter(({ action }) => action === 'recreated' || action === 'updated');
      const files = changes.objects.find(({ object }) => object.startsWith('ConfigMap/flink-config-'));
      if (!changes.objects.some(({ object }) => object.startsWith('Deployment/'))) return [];
      const deployed = [
        before,
        deployedFrom(golden, after.spec, changes.generation.after, files?.diff, before),
      ] as const;
      before = deployed[1];
      if (remade.length === 0) return [];
      const [old, fresh] = deployed.map(
        (one) => new Map(objectsOf(planOf(golden, one.spec, one)).map((object) => [idOf(object), object])),
      );
      return remade.map(({ object, diff = [] }) => ({
        where: `${golden.name} ${name} ${object}`,
        theirs: theirDiff(diff).sort(),
        ours: lineDiff(linesOf(old?.get(object)), linesOf(fresh?.get(object))).sort(),
      }));
    });
  });
}

/** What the job started from is read off the recording: deciding on it is not what is compared here. */
function deployedFrom(
  golden: GoldenCase,
  spec: Deployed['spec'],
  generation: number,
  diff?: readonly string[],
  before?: Deployed,
): Deployed {
  const path = (sign: string) =>
    diff?.find((line) => line.startsWith(sign) && line.includes('execution.savepoint.path: '))?.split(': ')[1];
  const kept = before ?? { restore: planOf(golden, spec).restore, haWithCheckpoint: false };
  const [added, removed] = [path('+'), path('-')];
  if (added === 'KUBERNETES_OPERATOR_LAST_STATE') {
    return { spec, generation, restore: { mode: 'last-state' }, haWithCheckpoint: true };
  }
  if (added !== undefined) return { ...kept, spec, generation, restore: { mode: 'savepoint', path: added } };
  if (removed !== undefined) return { ...kept, spec, generation, restore: { mode: 'stateless' } };
  return { ...kept, spec, generation };
}

function idOf({ kind, metadata }: AnyObject): string {
  return `${kind}/${metadata.name}`;
}
