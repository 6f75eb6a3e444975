import { equal } from '../../src/change/equal.ts';
import { isKubeError } from '../../src/kube/error.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { ClusterStage } from '../stage/cluster-stage.ts';
import type { Ground, Standing } from './ground.ts';
import type { Operation } from './operation.ts';
import { type Finding, names, type Outcome } from './outcome.ts';
import { unheeded } from './unheeded.ts';

const minute = 60_000;

/** How long an operation may take to become true or to be told, and how long to be taken back, in the cluster's time. */
const patience = 40 * minute;
const pause = 4 * minute;
/** How long nothing is done to see whether anything is still written, and how much may be. */
const rest = 5 * minute;
const mostAtRest = 6;

/** What happens in one lane of a round. */
interface Course {
  readonly lane: string;
  readonly operation: Operation;
  readonly name: string;
  readonly problems: string[];
  refusal?: Extract<Outcome, { is: 'refused' }>;
  isWritten: boolean;
}

export interface RoundOptions {
  /** Which round it is; objects that are created get it in their names. */
  readonly serial: number;
  /** What is done before, and not taken back: a chain of two. */
  readonly first?: ReadonlyMap<string, Operation>;
  /** How each lane was in the beginning. What was declared not to go back may do so with a later operation. */
  readonly usual?: ReadonlyMap<string, unknown>;
}

/** What becomes of an operation that nobody gets to see: the schema refuses it, or it is too large to be run. */
export async function tryOut(
  stage: ClusterStage,
  ground: Ground,
  lane: string,
  operation: Operation,
): Promise<Finding | undefined> {
  const course = await write(stage, ground, lane, operation, { serial: 0, dryRun: true });
  const { refusal, problems } = course;
  if (operation.live && problems.length === 0 && refusal?.by !== 'schema') return undefined;
  const outcome = judged(ground, course, refusal ?? { is: 'admitted' });
  return { kind: ground.kind.type.kind, operation, problems, outcome, state: '' };
}

/**
 * Does one operation in each lane, sees what becomes of it, takes it back and sees that all is as before.
 *
 * What admission refuses is written all the same, as on a cluster without webhooks: then the controllers have to tell.
 */
export async function fuzzRound(
  stage: ClusterStage,
  ground: Ground,
  plan: ReadonlyMap<string, Operation>,
  { serial, first, usual }: RoundOptions,
): Promise<readonly Finding[]> {
  const before = new Map([...plan.keys()].map((lane) => [lane, ground.state(lane)]));
  if (first) {
    for (const [lane, operation] of first) await write(stage, ground, lane, operation, { serial });
    await stage.clock.advance(patience / 4);
  }
  const courses: Course[] = [];
  for (const [lane, operation] of plan) courses.push(await write(stage, ground, lane, operation, { serial }));

  const findings: Finding[] = [];
  const written = courses.filter(({ isWritten }) => isWritten);
  const standingOf = ({ name }: Course): Standing => {
    const object = find(stage, ground, name);
    return object ? ground.standing(object) : { is: 'working', words: 'it is not there' };
  };
  const isWorking = (course: Course): boolean => standingOf(course).is === 'working';
  const end = stage.clock.now() + patience;
  // What is told on the way may be about the way: it counts when it still stands after a while.
  do {
    await stage.clock.runUntil(() => !written.some(isWorking), end - stage.clock.now());
    if (written.length > 0) await stage.clock.advance(pause);
  } while (written.some(isWorking) && stage.clock.now() < end);
  const standings = new Map(written.map((course) => [course, standingOf(course)]));
  stage.writes.length = 0;
  if (written.length > 0) await stage.clock.advance(rest);
  for (const course of courses) {
    const outcome = course.isWritten
      ? outcomeOf(course, standings.get(course))
      : (course.refusal ?? { is: 'admitted' });
    if (course.isWritten) course.problems.push(...restless(stage, course));
    const { operation, problems, lane } = course;
    if (operation.class === 'set' && outcome.is === 'realised') problems.push(...leftOut(ground, course));
    const state = JSON.stringify(ground.state(lane)).replaceAll(lane, 'LANE');
    findings.push({
      kind: ground.kind.type.kind,
      operation,
      problems,
      outcome: judged(ground, course, outcome),
      state,
    });
  }

  for (const course of written) await takeBack(stage, ground, course);
  const stands = ({ name }: Course): boolean => {
    const object = find(stage, ground, name);
    if (ground.how === 'create') return object === undefined;
    return object !== undefined && ground.standing(object).is === 'realised';
  };
  const isBack = (course: Course): boolean => {
    if (!stands(course)) return false;
    const state = ground.state(course.lane);
    return equal(state, before.get(course.lane)) || (usual !== undefined && equal(state, usual.get(course.lane)));
  };
  await stage.clock.runUntil(() => written.every(stands), patience);
  // What was made on the way goes in its own time.
  for (let at = 0; at < patience && !written.every(isBack); at += 2 * minute) await stage.clock.advance(2 * minute);
  for (const course of written.filter((one) => !isBack(one))) {
    const object = find(stage, ground, course.name);
    const standing = object && JSON.stringify(ground.standing(object));
    course.problems.push(
      `taken back, it is not as before: ${standing ?? 'gone'}; ${difference(before.get(course.lane), ground.state(course.lane))}`,
    );
  }
  return findings;
}

/** Whether a lane can be used again. */
export function isUsable({ problems }: Finding): boolean {
  return !problems.some((problem) => problem.startsWith('taken back'));
}

async function write(
  stage: ClusterStage,
  ground: Ground,
  lane: string,
  operation: Operation,
  { serial, dryRun = !operation.live }: { readonly serial: number; readonly dryRun?: boolean },
): Promise<Course> {
  const usual = ground.object(lane);
  const name = ground.how === 'edit' ? (usual.metadata.name ?? '') : `${lane}-${serial}`;
  const { namespace = '' } = usual.metadata;
  const course: Course = { lane, operation, name, problems: [], isWritten: false };
  const objects = stage.person.resource<AnyObject>(ground.kind.type);
  const current = ground.how === 'edit' ? await objects.get({ namespace, name }) : undefined;
  const object = {
    ...(current ?? usual),
    metadata: { ...usual.metadata, ...current?.metadata, name },
    spec: operation.spec,
  };
  const options = { dryRun };
  try {
    if (current) await objects.patch({ namespace, name }, specPatch(operation.spec), options);
    else await objects.create(object as AnyObject, options);
    course.isWritten = !dryRun;
  } catch (error) {
    if (!isKubeError(error, 'refused')) {
      course.problems.push(`the API server failed: ${error}`);
      return course;
    }
    course.refusal = { is: 'refused', by: 'schema', words: error.message };
    return course;
  }
  const refusal = await ground.admit(object as AnyObject, current);
  if (refusal !== undefined) course.refusal = { is: 'refused', by: 'admission', words: refusal };
  if (course.isWritten) {
    await ground.takeUp?.(lane);
    for (const companion of ground.companions?.(object as AnyObject) ?? []) await stage.apply(companion);
  }
  return course;
}

async function takeBack(stage: ClusterStage, ground: Ground, { lane, name }: Course): Promise<void> {
  const usual = ground.object(lane);
  const { namespace = '' } = usual.metadata;
  const objects = stage.person.resource<AnyObject>(ground.kind.type);
  if (ground.how === 'edit') {
    await objects.patch({ namespace, name }, specPatch(usual.spec));
    await ground.takeUp?.(lane);
    return;
  }
  for (const companion of ground.companions?.({ ...usual, metadata: { ...usual.metadata, name } }) ?? []) {
    const { name: other = '', namespace: place = '' } = companion.metadata;
    await stage.person.resource(stage.typeOf(companion)).delete({ namespace: place, name: other });
  }
  await objects.delete({ namespace, name });
}

/** The whole spec, whoever else writes to the object meanwhile. */
function specPatch(spec: unknown): { readonly type: 'json'; readonly body: readonly object[] } {
  return { type: 'json', body: [{ op: spec === undefined ? 'remove' : 'replace', path: '/spec', value: spec }] };
}

function find(stage: ClusterStage, ground: Ground, name: string): AnyObject | undefined {
  const { namespace } = ground.object(ground.lanes[0] ?? '').metadata;
  return stage.embedded.world.get<AnyObject>(ground.kind.type, namespace, name);
}

/** What a course ended in. An edit that admission refuses, and that becomes true without it, was refused for nothing. */
function outcomeOf(course: Course, standing: Standing | undefined): Finding['outcome'] {
  const { refusal } = course;
  if (!standing || standing.is === 'working') {
    course.problems.push(`it neither becomes true nor is anything told: ${standing?.words ?? ''}`);
    return { is: 'stuck', words: standing?.words ?? '' };
  }
  if (!refusal) return standing;
  if (standing.is === 'realised')
    course.problems.push(`refused at admission, and realised without it: ${refusal.words}`);
  return refusal;
}

function judged(
  { spokenOf }: Ground,
  { operation, problems }: Course,
  outcome: Finding['outcome'],
): Finding['outcome'] {
  if (
    (outcome.is === 'refused' || outcome.is === 'told') &&
    operation.class !== 'set' &&
    !names(outcome.words, operation, spokenOf)
  ) {
    problems.push(`nobody can tell from it which field is meant: ${outcome.words.slice(0, 600)}`);
  }
  if ('words' in outcome && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(outcome.words.replaceAll('\n', ''))) {
    problems.push(`control characters reach whoever reads it: ${JSON.stringify(outcome.words.slice(0, 300))}`);
  }
  if (operation.class === 'set' && (outcome.is === 'refused' || outcome.is === 'told')) {
    problems.push(`all was well in it: ${outcome.is} ${outcome.words.slice(0, 1200)}`);
  }
  return outcome;
}

/** What is said to be true, and was merely left out. */
function leftOut(ground: Ground, { lane, operation }: Course): readonly string[] {
  if (!ground.made) return [];
  const missing = unheeded(ground.object(lane).spec, operation.spec, ground.made(lane), ground.spelt);
  return missing.map((text) => `nothing that was made has ${JSON.stringify(text)}`);
}

/** What is written about an object when nothing happens. */
function restless(stage: ClusterStage, { lane }: Course): readonly string[] {
  const about = stage.writes.filter((write) => write.includes(lane));
  return about.length > mostAtRest ? [`${about.length} writes in five minutes at rest, such as ${about.at(-1)}`] : [];
}

/** Where two states part. */
export function difference(before: unknown, after: unknown): string {
  const [old, now] = [before, after].map((value) =>
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  );
  let at = 0;
  while (at < (old?.length ?? 0) && old?.[at] === now?.[at]) at += 1;
  return `…${old?.slice(Math.max(0, at - 80), at + 160)}… became …${now?.slice(Math.max(0, at - 80), at + 160)}…`;
}
