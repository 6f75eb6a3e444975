import { describe, expect, it } from 'vitest';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import { changedFields, showField } from '../../../src/kudo/graph/changed-fields.ts';
import { at, workloadOf } from '../../../src/kudo/graph/workload.ts';
import { annotations } from '../../../src/kudo/keys.ts';
import { type Enhanced, enhance } from '../../../src/kudo/render/enhance.ts';
import type { DependencyReader } from '../../../src/kudo/render/hash/dependency.ts';
import { hashesOf } from '../../../src/kudo/render/hash/hashes.ts';
import { readingFirst } from '../../../src/kudo/render/hash/reading-first.ts';
import { labelled } from '../../../src/kudo/render/labelled.ts';
import type { Place } from '../../../src/kudo/render/place.ts';
import { renderObjects } from '../../../src/kudo/render/render-objects.ts';
import { objectDifferences } from './object-differences.ts';
import { placeOf, type RecordedObject, type Recording, recordings, tasksAt } from './object-recording.ts';

interface Made {
  /** `03-deployment/01-install: Deployment/dep-web` */
  readonly title: string;
  readonly recorded: RecordedObject;
  readonly place: Place;
  readonly object: KubeObject;
  /** All that the same task makes. */
  readonly together: readonly KubeObject[];
}

const named = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

/** Our object in the place of a recorded one; nothing for what no template makes. */
function make(recording: Recording, recorded: RecordedObject): Made | undefined {
  const place = placeOf(recording, recorded);
  const title = `${recording.package}/${recorded.step}: ${named(recorded.applied)}`;
  for (const task of tasksAt(place)) {
    const rendered = renderObjects(place, task.spec?.resources ?? []);
    if ('complaint' in rendered) throw new Error(`${title}: ${rendered.complaint.message}`);
    const object = rendered.objects.find((one) => named(one) === named(recorded.applied));
    if (object) return { title, recorded, place, object, together: rendered.objects };
  }
  return undefined;
}

function dependenciesOf({ recorded, together, place }: Made): DependencyReader {
  return readingFirst(together, place, ({ kind, name }) =>
    recorded.dependencies?.find((one) => one.kind === kind && one.metadata.name === name),
  );
}

/** What a quiet execution applies; with `live`, over what KUDO left. */
function applied(made: Made, live?: AnyObject): Enhanced {
  const { metadata } = made.recorded.applied;
  const executionUid = metadata.annotations?.[annotations.planUid] ?? '';
  return enhance(
    made.object,
    made.place,
    { executionUid },
    { namespaced: metadata.namespace !== undefined, dependencies: dependenciesOf(made), ...(live && { live }) },
  );
}

const pairs = recordings().flatMap((recording) =>
  recording.recorded.map((recorded) => ({ recording, recorded, made: make(recording, recorded) })),
);
const made = pairs.flatMap((pair) => (pair.made ? [pair.made] : []));
const workloads = made.flatMap((one) => (one.recorded.live ? [{ ...one, live: one.recorded.live }] : []));

describe('objects that KUDO made', () => {
  it('are all made here too, apart from what a Pipe task makes of files', () => {
    const missing = pairs.filter((pair) => !pair.made);
    const pipes = /^\w+\/pp\.(?:deploy\.mainphase\.genstep\.generate|absent\.main\.s\.missingfile)\./;
    expect(missing.map(({ recorded }) => named(recorded.applied)).filter((name) => !pipes.test(name))).toEqual([]);
    expect(made.length).toBe(279);
  });

  it('are the same here, apart from listed differences', () => {
    const found = new Map<string, string>();
    for (const one of made) {
      const ours = applied(one).object;
      const { fields } = changedFields(plain(one.recorded.applied), plain(ours), { fields: 100, compared: 100_000 });
      for (const field of fields) found.set(`${ours.kind} ${showField(field)}`, one.title);
    }
    const listed = (difference: string) =>
      objectDifferences.find(({ kind, field }) => {
        const [of, ...rest] = difference.split(' ');
        return (kind === '*' || kind === of) && rest.join(' ') === field;
      });
    const unlisted = [...found].filter(([difference]) => !listed(difference));
    expect(Object.fromEntries(unlisted), 'differences that are not listed').toEqual({});
    const occurring = new Set([...found.keys()].map(listed));
    expect(objectDifferences.filter((one) => !occurring.has(one))).toEqual([]);
  });

  it.each(workloads.map((one) => [one.title, one] as const))('have the same hash of dependencies: %s', (_, one) => {
    const { podSpec, path } = workloadOf(one.object) ?? {};
    const recorded = at(one.recorded.applied, [
      ...(path ?? []),
      'metadata',
      'annotations',
      annotations.dependenciesHash,
    ]);
    expect(hashesOf(podSpec, dependenciesOf(one)).dependencies).toBe(recorded);
  });

  it.each(workloads.map((one) => [one.title, one] as const))('are adopted without a restart: %s', (_, one) => {
    const { object, restart, complaint } = applied(one, one.live);
    expect(complaint).toBeUndefined();
    expect(restart).toBeUndefined();
    const { path = [] } = workloadOf(object) ?? {};
    const [ours, theirs] = [object, one.live].map((owner) => at(owner, [...path, 'metadata', 'annotations']));
    expect(theirs).toMatchObject(ours as object);
    expect(at(ours, [annotations.operatorVersion])).toBe(at(theirs, [annotations.operatorVersion]));
  });

  it('keep their labels, where a selector that cannot be changed may stand on them', () => {
    for (const { object, place, recorded } of made) {
      expect(labelled(object, place).metadata.labels).toEqual(recorded.applied.metadata.labels);
    }
  });
});

/** Without what only a Go type writes, and without what an object says of how it was applied. */
function plain(object: KubeObject): unknown {
  const { status: _told, ...rest } = JSON.parse(JSON.stringify(object)) as AnyObject;
  const { [annotations.lastApplied]: _text, ...kept } = rest.metadata.annotations ?? {};
  return slim({ ...rest, metadata: { ...rest.metadata, annotations: kept } });
}

function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, slim(item)]);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
