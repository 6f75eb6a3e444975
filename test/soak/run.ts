/**
 * `npm run soak -- --minutes 30`: the operator as a process of its own, all families, and people who change their workloads
 * all the time. Ends with 0 when every change came to its end, nothing was logged as an error, and nothing leaked.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../../src/clock/random.ts';
import { growthOf, isEnough, perHour, type Sample } from './leak.ts';
import { type Deed, dayOf } from './life.ts';
import { openWorld, type SoakWorld } from './world.ts';

const USAGE = 'usage: npm run soak -- [--minutes N] [--seed N]';
const MB = 1024 * 1024;
/** Often enough that a short soak can be judged, too. */
const sampleEveryMs = (soakMs: number): number => Math.min(10_000, soakMs / 60);

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string', default: '1' } },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error(USAGE);
  const directory = mkdtempSync(join(tmpdir(), 'cutover-soak-'));
  try {
    await using world = await openWorld(directory);
    console.log(`soaking for ${minutes} minutes; seed ${seed}`);
    const before = await world.census();
    const { samples, deeds } = await soak(world, minutes * 60_000, seed);
    return verdict(samples, deeds, [...world.complaints(), ...(await leftOver(world, before))]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Does one thing after the other until the time is over; the last one comes to its end. */
async function soak(
  world: SoakWorld,
  ms: number,
  seed: number,
): Promise<{ readonly samples: readonly Sample[]; readonly deeds: number }> {
  const begin = performance.now();
  const samples: Sample[] = [];
  const measuring = setInterval(() => {
    void world.measured().then(
      (measured) => samples.push({ ms: performance.now() - begin, ...measured }),
      () => {}, // the operator is asked again in a moment; whether it lives, the deeds tell
    );
  }, sampleEveryMs(ms));
  let deeds = 0;
  let said = 0;
  try {
    for (const deed of dayOf(seededRandom(seed))) {
      if (performance.now() - begin > ms) return { samples, deeds };
      await world.does(deed);
      deeds += 1;
      const minute = Math.floor((performance.now() - begin) / 60_000);
      if (minute > said) {
        said = minute;
        console.log(`${minute} min: ${deeds} changes; ${held(samples.at(-1))}; last: ${inWords(deed)}`);
      }
    }
    return { samples, deeds };
  } finally {
    clearInterval(measuring);
  }
}

/** Objects that are more than they were: workloads were changed, and none was added. */
async function leftOver(world: SoakWorld, before: ReadonlyMap<string, number>): Promise<readonly string[]> {
  const after = await world.census();
  return [...after].flatMap(([kind, count]) => {
    const was = before.get(kind) ?? 0;
    // A history keeps ten, nodes of a package are three to five, and a transition may have just ended.
    return count > was + 12 ? [`${count} ${kind} instead of ${was}: something is not cleared away`] : [];
  });
}

function verdict(samples: readonly Sample[], deeds: number, complaints: readonly string[]): number {
  const grown = growthOf(samples).map(
    ({ what, from, to, most }) => `${what} grew from ${from} to ${to}; more than ${Math.round(most)} is a leak`,
  );
  const unmeasured = isEnough(samples) ? [] : ['what the operator holds was not measured often enough to tell a leak'];
  const problems = [...complaints, ...grown, ...unmeasured];
  const slope = perHour(samples, ({ heapBytes }) => heapBytes) / MB;
  console.log(
    `\n${deeds} changes; at the end ${held(samples.at(-1))}; the heap grows by ${slope.toFixed(1)} MB an hour`,
  );
  for (const problem of problems) console.error(`problem: ${problem}`);
  console.log(problems.length === 0 ? 'nothing to complain about' : `${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

function held(sample: Sample | undefined): string {
  if (!sample) return 'not measured yet';
  const { heapBytes, residentBytes, handles } = sample;
  return `heap ${(heapBytes / MB).toFixed(0)} MB, resident ${(residentBytes / MB).toFixed(0)} MB, ${handles} handles`;
}

function inWords({ command }: Deed): string {
  return `cutover ${command.join(' ')}`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`soak: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
