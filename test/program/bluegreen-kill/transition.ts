import { setTimeout as delay } from 'node:timers/promises';
import { realClock } from '../../../src/clock/real.ts';
import { seen } from '../../../src/embedded/programs/flink/counting.ts';
import type { Run } from '../../../src/embedded/programs/flink/run.ts';
import { normalPath } from '../../../src/embedded/programs/flink/storage.ts';
import type { Color } from '../../../src/flink/resources/blue-green-transition.ts';
import { gracePeriod, patience, revision, shortPatience } from './manifest.ts';
import type { Step } from './plan.ts';
import { type Stage, sideName } from './stage.ts';

/** Against hanging, not a statement about speed. */
const limitMs = 300_000;

/** What must have become of a resource. */
interface Outcome {
  /** The side that serves. */
  readonly serving: Color;
  /** How many savepoints were needed. */
  readonly savepoints: 0 | 1;
  /** Where the state of the side that was made comes from. */
  readonly from: 'its savepoint' | 'nothing' | { readonly path: string };
  /** How often that side may have run: more often when it was begun anew. */
  readonly runs: number;
}

/**
 * Does one step to a resource that is at rest, waits until it is at rest again, and says what is wrong with what became
 * of it.
 */
export async function transition(stage: Stage, name: string, number: number, step: Step): Promise<readonly string[]> {
  const before = snapshotOf(stage, name);
  const outcome = await play(stage, name, number, step, before);
  await stage.until(name, `at rest after "${step.does}"`, () => isAtRest(stage, name, outcome.serving), limitMs);
  const flaws = [...flawsOf(stage, name, before, outcome)];
  if (flaws.length === 0) return [];
  return [`${name}, step ${number} (${step.does}): ${flaws.join('; ')}\n${stage.tell(name)}`];
}

/** What there was before a step. */
interface Before {
  readonly serving: Color;
  readonly run: Run;
  /** How far the job had counted. */
  readonly counted: number;
  readonly savepoints: readonly string[];
  /** How often the other side had run. */
  readonly runs: number;
}

function snapshotOf(stage: Stage, name: string): Before {
  const serving = stage.status(name).serving?.color;
  const run = serving && stage.runs(name, serving).at(-1);
  if (!run) throw new Error(`${name} does not run\n${stage.tell(name)}`);
  const runs = stage.runs(name, other(serving)).length;
  return { serving, run, counted: run.to, savepoints: stage.savepoints(name), runs };
}

async function play(stage: Stage, name: string, number: number, step: Step, before: Before): Promise<Outcome> {
  const { serving } = before;
  const target = other(serving);
  const edit = (job: object, grace = patience): Promise<void> =>
    stage.edit(name, { configuration: { [gracePeriod]: grace }, template: { spec: { job } } });
  const spec = revision(number);
  switch (step.does) {
    case 'edit':
      await edit(spec);
      return { serving: target, savepoints: 1, from: 'its savepoint', runs: 1 };
    case 'edit twice':
      await edit(revision(number, ['--superseded']));
      await delay(step.afterMs);
      await edit(spec);
      return { serving: target, savepoints: 1, from: 'its savepoint', runs: 2 };
    case 'redeploy without state':
      await edit({ ...spec, statelessRedeployNonce: number });
      return { serving: target, savepoints: 0, from: 'nothing', runs: 1 };
    case 'redeploy from a savepoint': {
      const path = latest(before);
      await edit({ ...spec, savepointRedeployNonce: number, initialSavepointPath: path });
      return { serving: target, savepoints: 0, from: { path }, runs: 1 };
    }
    case 'redeploy midway': {
      await edit(revision(number, ['--superseded']));
      const starts = (): boolean =>
        stage.status(name).transition?.phase === 'starting' && stage.side(name, target) !== undefined;
      await stage.until(name, 'its target starts', starts, limitMs);
      const path = latest(before);
      await edit({ ...spec, savepointRedeployNonce: number, initialSavepointPath: path });
      return { serving: target, savepoints: 1, from: { path }, runs: 2 };
    }
    case 'break':
      await edit(revision(number, ['--fail-at-start']), shortPatience);
      return { serving, savepoints: 1, from: 'its savepoint', runs: 0 };
    default:
      return step satisfies never;
  }
}

function other(color: Color): Color {
  return color === 'BLUE' ? 'GREEN' : 'BLUE';
}

/** A savepoint that is there, for whoever redeploys from one. */
function latest({ savepoints }: Before): string {
  const path = savepoints.at(-1);
  if (path === undefined) throw new Error('there is no savepoint yet');
  return path;
}

/** Nothing is under way or waited for, and the status speaks of the newest spec. */
function isAtRest(stage: Stage, name: string, serving: Color): boolean {
  const { metadata, status } = stage.resource(name);
  return (
    status?.observedGeneration === metadata.generation &&
    status?.transition === undefined &&
    !status?.conditions?.some(({ type, status: is }) => type === 'Reconciling' && is === 'True') &&
    status?.blueGreenState === `ACTIVE_${serving}` &&
    (status.aborted !== undefined || stage.side(name, other(serving)) === undefined)
  );
}

function* flawsOf(stage: Stage, name: string, before: Before, outcome: Outcome): Generator<string> {
  const { serving, savepoints, from } = outcome;
  const status = stage.status(name);
  const promoted = serving !== before.serving;
  if (status.serving?.color !== serving) yield `${status.serving?.color} serves`;
  if (promoted === (status.aborted !== undefined)) yield `aborted: ${JSON.stringify(status.aborted)}`;
  const backends = stage.backends(name).join();
  if (backends !== `${sideName(name, serving)}-rest`) yield `traffic goes to "${backends}"`;

  const made = stage.savepoints(name).filter((path) => !before.savepoints.includes(path));
  if (made.length !== savepoints) yield `${made.length} savepoints were made instead of ${savepoints}: ${made.join()}`;
  const complete = stage.snapshots(name).filter(({ status: is }) => is?.state === 'COMPLETED');
  const known = complete.map(({ status: is }) => normalPath(is?.path ?? '')).sort();
  if (known.join() !== [...stage.savepoints(name)].sort().join()) yield `snapshots stand for ${known.join()}`;

  const side = stage.side(name, serving);
  const run = stage.runs(name, serving).at(-1);
  if (!run?.isLive) yield `${serving} does not run`;
  if (side?.status?.jobStatus?.state !== 'RUNNING')
    yield `${serving} says its job is ${side?.status?.jobStatus?.state}`;
  if (run) yield* flawsOfCounts(run);
  if (!promoted) {
    if (run !== before.run) yield 'the side that served was restarted';
    return;
  }
  const runs = stage.runs(name, serving).length - before.runs;
  if (runs > outcome.runs) yield `${serving} was started ${runs} times`;
  if (run) yield* flawsOfStart(before, run, from, made);
}

/** Each key must have been counted as often as the source has shown it. */
function* flawsOfCounts({ state: { offset, counts }, origin: { keys } }: Run): Generator<string> {
  const expected = Array.from({ length: keys }, (_, key) => seen(offset, key, keys));
  if (counts.join() !== expected.join()) yield `it counted ${counts} of ${offset}`;
}

/** What is wrong with how the new side began. */
function* flawsOfStart(before: Before, run: Run, from: Outcome['from'], made: readonly string[]): Generator<string> {
  const expected = from === 'nothing' ? undefined : from === 'its savepoint' ? made[0] : from.path;
  const { restoredFrom } = run.origin;
  if (restoredFrom !== expected) yield `it began with ${restoredFrom ?? 'nothing'} instead of ${expected ?? 'nothing'}`;
  if (from === 'its savepoint' && (run.from < before.counted || run.from > before.run.to)) {
    yield `counting goes on at ${run.from}, not between ${before.counted} and ${before.run.to}`;
  }
  if (from === 'nothing' && run.from !== 0) yield `counting begins at ${run.from}`;
  if (!before.run.ranAt(realClock.monotonic() - run.ageMs)) yield 'the old side ended before the new one ran';
}
