import { describe, expect, it } from 'vitest';
import { equal } from '../../../src/change/equal.ts';
import { annotations } from '../../../src/control/annotations.ts';
import { blueGreenChange } from '../../../src/flink/resources/blue-green-change.ts';
import { blueGreenSpecCodec } from '../../../src/flink/resources/blue-green-spec.ts';
import type { FlinkBlueGreenDeploymentSpec } from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../../src/flink/resources/flink-deployment.ts';
import { flinkDeploymentSpelling, spell, textOf } from '../../../src/flink/resources/java-spelling.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { Field } from '../../../src/schema/field.ts';
import { expectListed, type Found } from './expect-listed.ts';
import { lineDiff, linesOf, theirDiff } from './line-diff.ts';
import { type GoldenCase, type GoldenEdit, goldenCases } from './load.ts';
import { Played } from './played.ts';

const cases = goldenCases().filter(({ kind }) => kind === 'FlinkBlueGreenDeployment');

/** What is ours to make; the rest is made for the FlinkDeployments. */
const made = /^(FlinkDeployment|Ingress)\//;

describe('a recorded blue/green deployment', () => {
  it('becomes the same sides and the same Ingress, goes through the same states, and edits do the same to them', () => {
    expectListed(
      'blue/green',
      cases.flatMap((golden) => {
        const played = new Played(golden);
        const found = [
          ...statesFound(golden, 'creation', [recordedState(golden)], played.states),
          ...objectsFound(golden, golden.sent, played.objects),
        ];
        for (const edit of golden.edits) {
          const before = played.objects;
          played.edit(edit.after);
          found.push(
            ...statesFound(golden, edit.name, edit.changes.states.map(stateText), played.states),
            ...changesFound(golden, edit, before, played.objects),
          );
        }
        return golden.afterEdits.length > 0
          ? [...found, ...objectsFound(golden, golden.afterEdits, played.objects)]
          : found;
      }),
    );
    expect(cases.length).toBeGreaterThan(0);
  });

  it('is edited in place, by another side or not at all, as our reading of the edit says', () => {
    for (const { golden, edit, recorded } of edits()) {
      const { type } = blueGreenChange(recorded, edit.after.spec as FlinkBlueGreenDeploymentSpec);
      expect(consequences(edit), `${golden.name} ${edit.name}: ${type}`).toContain(type);
    }
  });
});

/** Edits of something that was deployed. */
function edits() {
  return cases.flatMap((golden) =>
    golden.edits.flatMap((edit) => {
      const text = edit.statusBefore.lastReconciledSpec;
      const read = text === undefined ? undefined : blueGreenSpecCodec.read(text);
      return read?.ok ? [{ golden, edit, recorded: read.spec }] : [];
    }),
  );
}

/** What an edit can have been, by what became of the sides. Until the first is ready, and while suspended, all is in place. */
function consequences({ changes, statusBefore }: GoldenEdit): readonly string[] {
  const sides = changes.objects.filter(({ object }) => object.startsWith('FlinkDeployment/'));
  const redeploys = ['TRANSITION', 'SAVEPOINT_REDEPLOY', 'STATELESS_REDEPLOY'];
  if (sides.some(({ action }) => action === 'created')) return redeploys;
  if (!sides.some(({ diff = [] }) => ofSpec(theirDiff(diff)).length > 0)) return ['IGNORE'];
  const inPlace = ['PATCH_CHILD', 'SUSPEND', 'RESUME'];
  return statusBefore.blueGreenState?.startsWith('ACTIVE') ? inPlace : [...inPlace, ...redeploys];
}

function stateText({ blueGreenState, jobState }: Readonly<Record<string, unknown>>): string {
  return `${blueGreenState} ${jobState}`;
}

function recordedState({ status }: GoldenCase): string {
  const { state } = (status.jobStatus ?? {}) as { readonly state?: string };
  return `${status.blueGreenState} ${state}`;
}

/** States were looked at now and then: what was seen must come in the same order, and the end must be the same. */
function statesFound({ name }: GoldenCase, at: string, theirs: readonly string[], ours: readonly string[]): Found[] {
  const agree = (left: readonly string[]) => left.at(-1) === ours.at(-1) && isWithin(left, ours);
  if (agree(theirs)) return [];
  const kinds: readonly (readonly [where: string, reduced: readonly string[]])[] = [
    ['the state of the first deployment', theirs.map(initializing)],
    ['the state after a savepoint', theirs.filter((_, index) => !isBetween(theirs, index))],
  ];
  const where = kinds.find(([, reduced]) => agree(reduced))?.[0] ?? `${at}: states`;
  return [{ case: name, where, detail: `${theirs.join(', ')} ≠ ${ours.join(', ')}` }];
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let from = 0;
  return some.every((one) => {
    const found = all.indexOf(one, from);
    from = found + 1;
    return found >= 0;
  });
}

function initializing(state: string): string {
  return state.replace('TRANSITIONING_TO_BLUE', 'INITIALIZING_BLUE');
}

function isBetween(states: readonly string[], index: number): boolean {
  return /^SAVEPOINTING/.test(states[index - 1] ?? '') && /^ACTIVE/.test(states[index] ?? '');
}

/** Objects one by one; a side by what its spec says, however it is spelled. */
function objectsFound(
  { name, input }: GoldenCase,
  recorded: readonly AnyObject[],
  objects: ReadonlyMap<string, AnyObject>,
): Found[] {
  const { template = {} } = input.spec as FlinkBlueGreenDeploymentSpec;
  const theirs = new Map(recorded.map((one) => [`${one.kind}/${one.metadata.name}`, one]));
  const ids = [...theirs.keys(), ...objects.keys()].filter((id) => made.test(id));
  return [...new Set(ids)].flatMap((id) => {
    const [left, right] = [parts(theirs.get(id)), parts(objects.get(id))];
    return Object.keys({ ...left, ...right }).flatMap((part): Found[] => {
      if (equal(left[part], right[part])) return [];
      const where = explained(part, left[part], right[part], template) ?? `${part} of ${id}`;
      return [{ case: name, where, detail: `${id}: ${JSON.stringify(left[part])} ≠ ${JSON.stringify(right[part])}` }];
    });
  });
}

type Template = NonNullable<FlinkBlueGreenDeploymentSpec['template']>;

/** A difference that can occur in any recording, if it is that one and no more. */
function explained(
  part: string,
  theirs: unknown,
  ours: unknown,
  { metadata = {}, spec }: Template,
): string | undefined {
  if (part === 'labels' || part === 'annotations') {
    const added = { ...metadata[part], [annotations.id]: '' };
    const rest = Object.entries(ours ?? {}).filter(([name]) => !Object.hasOwn(added, name));
    return equal(theirs ?? {}, Object.fromEntries(rest)) ? 'labels and annotations of a side' : undefined;
  }
  const address = spec?.ingress?.template?.trim() ?? '';
  return part === 'ingress' && /^\/|:\/\//.test(address) ? 'the colour in the address of a side' : undefined;
}

function parts(object: AnyObject | undefined): Readonly<Record<string, unknown>> {
  if (!object) return {};
  const { name, namespace, ownerReferences, labels, annotations: noted } = object.metadata;
  const side = object.kind === 'FlinkDeployment';
  const { ingress, ...spec } = object.spec as Record<string, unknown>;
  return {
    identity: { name, namespace, ownerReferences },
    labels,
    annotations: noted,
    spec: side ? JSON.parse(textOf(spell(spec, flinkDeploymentSpelling))) : object.spec,
    ...(side && { ingress: JSON.parse(textOf(spell({ ingress }, flinkDeploymentSpelling))).ingress }),
  };
}

/** Which objects an edit made, changed and removed, and which lines of them. */
function changesFound(
  { name }: GoldenCase,
  { name: edit, changes }: GoldenEdit,
  before: ReadonlyMap<string, AnyObject>,
  after: ReadonlyMap<string, AnyObject>,
): Found[] {
  const theirs = changes.objects.flatMap(({ action, object, diff }) => {
    const lines = ofSpec(theirDiff(diff ?? [])).sort();
    return made.test(object) && (action !== 'updated' || lines.length > 0) ? [`${action} ${object} ${lines}`] : [];
  });
  const ours = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [left, right] = [before.get(id), after.get(id)];
    if (!left || !right) return [`${left ? 'deleted' : 'created'} ${id} `];
    const lines = lineDiff(linesOf(specOf(left)), linesOf(specOf(right))).sort();
    return lines.length > 0 ? [`updated ${id} ${lines}`] : [];
  });
  if (equal(theirs.sort(), ours.sort())) return [];
  return [{ case: name, where: `${edit}: objects`, detail: `${theirs.join('; ')} ≠ ${ours.join('; ')}` }];
}

function specOf({ spec }: AnyObject): AnyObject {
  return spec as unknown as AnyObject;
}

const specNames = new Set(namesIn(flinkDeployment.spec.field));
const statusNames = new Set(namesIn(flinkDeployment.status.field));

/** Lines that cannot be of the status of a FlinkDeployment. */
function ofSpec(lines: readonly string[]): string[] {
  return lines.filter((line) => {
    const [, key = ''] = /^[-+]([^:]+):/.exec(line) ?? [];
    return specNames.has(key) || !statusNames.has(key);
  });
}

function namesIn({ properties = {}, items, additionalProperties }: Field): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [name, ...namesIn(field)]),
    ...[items, additionalProperties].flatMap((field) => (field ? namesIn(field) : [])),
  ];
}
