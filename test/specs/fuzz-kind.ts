import { equal } from '../../src/change/equal.ts';
import type { Random } from '../../src/clock/random.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { ClusterStage } from '../stage/cluster-stage.ts';
import { difference, fuzzRound, isUsable, tryOut } from './fuzz-round.ts';
import type { Declared, Ground } from './ground.ts';
import { type Operation, operationsOn } from './operation.ts';
import type { Finding } from './outcome.ts';
import { joined, valueAt } from './place.ts';
import { type Property, propertiesOf } from './property.ts';
import { touched } from './touched.ts';

/** What a run over one kind has shown. */
export interface Report {
  readonly kind: string;
  readonly properties: readonly string[];
  /** Properties that no operation has written. */
  readonly untouched: readonly string[];
  readonly findings: readonly Finding[];
  /** Lanes that could not be used any more, because something was not as before. */
  readonly lanesLost: number;
}

/** All that is done to the objects of a kind: every sample as it is, and every operation on every property. */
export function operationsFor(ground: Ground): readonly Operation[] {
  const { spec } = ground.object(ground.lanes[0] ?? '');
  const sets = ground.samples.map(
    ({ name, spec: sample }): Operation => ({
      class: 'set',
      about: name,
      name: `the sample "${name}"`,
      spec: joined(spec, sample),
      live: true,
    }),
  );
  const worlds = [spec, ...sets.map((set) => set.spec)];
  const edits = propertiesOf(ground.kind.spec.field).flatMap((property) => {
    const world = worlds.find((one) => valueAt(one, property.steps) !== undefined) ?? spec;
    return operationsOn(property, world, valueAt(world, property.steps));
  });
  return [...sets, ...edits];
}

/** Makes the usual objects of all lanes, and waits until they are as specified. */
export async function furnish(stage: ClusterStage, ground: Ground): Promise<void> {
  for (const lane of ground.lanes) await ground.prepare?.(lane);
  if (ground.how === 'create') return;
  for (const lane of ground.lanes) await put(stage, ground, lane);
  const { namespace } = ground.object(ground.lanes[0] ?? '').metadata;
  await stage.until(`all ${ground.kind.type.kind}s are as specified`, () =>
    ground.lanes.every((lane) => {
      const { name = '' } = ground.object(lane).metadata;
      const object = stage.embedded.world.get(ground.kind.type, namespace, name);
      return object !== undefined && ground.standing(object as never).is === 'realised';
    }),
  );
  await stage.clock.advance(60_000);
}

/** The usual object of a lane; a controller may have made one before. */
async function put(stage: ClusterStage, ground: Ground, lane: string): Promise<void> {
  const usual = ground.object(lane);
  const { name = '', namespace } = usual.metadata;
  const made = stage.embedded.world.get<AnyObject>(ground.kind.type, namespace, name);
  if (made) await stage.person.resource<AnyObject>(ground.kind.type).update({ ...made, spec: usual.spec } as AnyObject);
  else await stage.apply(usual);
}

/** Does the operations in as many rounds as they need, one in each lane at a time; then chains of two, so many. */
export async function fuzzKind(
  stage: ClusterStage,
  ground: Ground,
  operations: readonly Operation[],
  { chains = 0, random }: { readonly chains?: number; readonly random: Random },
): Promise<Report> {
  const findings: Finding[] = [];
  let lanes = [...ground.lanes];
  const usual = ground.how === 'edit' ? new Map(lanes.map((lane) => [lane, ground.state(lane)])) : new Map();
  let serial = 0;
  const round = async (chosen: readonly Operation[], first?: readonly Operation[]): Promise<readonly Finding[]> => {
    const plan = new Map(zipped(ground, lanes, chosen));
    const before = first && new Map(zipped(ground, lanes, first));
    const done = await fuzzRound(stage, ground, plan, { serial: serial++, usual, ...(before && { first: before }) });
    // As it was chosen, for whoever does it again in another lane.
    const found = done.map((finding, at) =>
      explained(ground, { ...finding, operation: chosen[at] ?? finding.operation }),
    );
    lanes = lanes.filter((_, at) => {
      const finding = found[at];
      return !finding || isUsable(finding);
    });
    return found;
  };
  const seen: Operation[] = [];
  for (const operation of operations) {
    const finding = await tryOut(stage, ground, ground.lanes[0] ?? '', operation);
    if (finding) findings.push(explained(ground, finding));
    else seen.push(operation);
  }
  for (let waiting: readonly Operation[] = seen; waiting.length > 0 && lanes.length > 0; ) {
    const chosen = waiting.slice(0, lanes.length);
    waiting = waiting.slice(chosen.length);
    findings.push(...(await round(chosen)));
  }
  const known = findings.filter(({ operation, outcome }) => operation.live && outcome.is !== 'refused');
  const pick = (): Finding | undefined => known[Math.floor(random.next() * known.length)];
  for (let done = 0; ground.how === 'edit' && done < chains && lanes.length > 0; done += lanes.length) {
    const pairs = lanes.flatMap(() => [[pick(), pick()]] as const);
    const [first, then] = [0, 1].map((at) => pairs.flatMap((pair) => pair[at]?.operation ?? []));
    const found = await round(then ?? [], first ?? []);
    const ended = found.map((finding, at) => chained(finding, pairs[at]?.[0], pairs[at]?.[1]));
    findings.push(...ended.map((finding) => explained(ground, finding)));
  }
  const all = propertiesOf(ground.kind.spec.field);
  return {
    kind: ground.kind.type.kind,
    properties: all.map(({ text }) => text),
    untouched: untouchedBy(
      ground,
      findings.map(({ operation }) => operation),
      all,
    ),
    findings,
    lanesLost: ground.lanes.length - lanes.length,
  };
}

function zipped(
  ground: Ground,
  lanes: readonly string[],
  chosen: readonly Operation[],
): readonly [string, Operation][] {
  return chosen
    .slice(0, lanes.length)
    .map((operation, at) => [lanes[at] ?? '', forLane(ground, lanes[at] ?? '', operation)]);
}

/** An operation after another one: what it leads to must not depend on what was there before. */
function chained(finding: Finding, first: Finding | undefined, alone: Finding | undefined): Finding {
  const operation = { ...finding.operation, name: `${first?.operation.name}, then ${finding.operation.name}` };
  const isSame =
    finding.outcome.is === alone?.outcome.is && (finding.outcome.is !== 'realised' || finding.state === alone.state);
  const problem = `after another edit it ends differently: ${alone?.outcome.is} became ${finding.outcome.is}; ${difference(alone?.state, finding.state)}`;
  return { ...finding, operation, problems: isSame ? finding.problems : [...finding.problems, problem] };
}

/** Problems that are declared stay as such, and are no failure. */
function explained(ground: Ground, finding: Finding): Finding {
  const { operation, problems } = finding;
  const declaredAs = (problem: string): Declared | undefined =>
    ground.declared?.find((one) => one.operations.test(operation.name) && one.problem.test(problem));
  return {
    ...finding,
    problems: problems.filter((problem) => !declaredAs(problem)),
    declared: [...(finding.declared ?? []), ...problems.flatMap((problem) => declaredAs(problem)?.why ?? [])],
  };
}

/** Properties that none of the operations writes. */
export function untouchedBy(
  ground: Ground,
  operations: readonly Operation[],
  all: readonly Property[] = propertiesOf(ground.kind.spec.field),
): readonly string[] {
  const spec = { text: 'spec', steps: [], field: ground.kind.spec.field };
  const usual = ground.object(ground.lanes[0] ?? '').spec;
  const seen = new Set(operations.flatMap((operation) => touched(spec, usual, operation.spec)));
  return all.map(({ text }) => text).filter((text) => !seen.has(text));
}

/** What is written for the first lane, written for another one: names in it are those of the lane. */
function forLane(ground: Ground, lane: string, operation: Operation): Operation {
  const [first = ''] = ground.lanes;
  if (lane === first) return operation;
  const [usual, mine] = [first, lane].map((one) => JSON.stringify(ground.object(one).spec));
  if (equal(usual, mine)) return operation;
  const text = JSON.stringify(operation.spec)?.replaceAll(first, lane);
  const name = operation.name.replaceAll(first, lane);
  const value = typeof operation.value === 'string' ? operation.value.replaceAll(first, lane) : operation.value;
  return { ...operation, name, value, spec: text === undefined ? undefined : JSON.parse(text) };
}
