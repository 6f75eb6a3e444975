import { Killer } from './killer.ts';
import { blueGreen } from './manifest.ts';
import { planOf } from './plan.ts';
import { Stage } from './stage.ts';
import { transition } from './transition.ts';

export interface Story {
  /** All that chance decides follows from it. What the machine's clock decides does not: a replay is alike, not equal. */
  readonly seed: number;
  readonly transitions: number;
  /** So many resources at a time, each in one transition after the other. */
  readonly resources: number;
  /** The bundle of another version: operators of both take turns, and each resumes what the other has written down. */
  readonly otherProgram?: string | undefined;
}

/** What became of it. */
export interface Told {
  /** What is wrong, in words. */
  readonly flaws: readonly string[];
  /** How often the operator was killed during the transition in which that happened least. */
  readonly fewestKills: number;
  /** In one paragraph, seed included. */
  readonly text: string;
}

/** Against hanging. */
const firstMs = 300_000;

/** Lets resources go from side to side while the operator is killed again and again, and judges every transition. */
export async function transitionsUnderKills({ seed, transitions, resources, otherProgram }: Story): Promise<Told> {
  const began = performance.now();
  const plan = planOf(seed, resources, transitions);
  await using stage = await Stage.open(seed);
  const killer = new Killer(
    stage,
    plan.moments(),
    otherProgram === undefined ? [stage.program] : [stage.program, otherProgram],
  );
  const operators = killer.run();
  const kills: number[] = [];
  const lives = plan.steps.map(async (steps, at) => {
    const flaws: string[] = [];
    const name = `job-${at}`;
    await stage.apply(blueGreen(name));
    const isActive = (): boolean => stage.status(name).blueGreenState === 'ACTIVE_BLUE';
    await stage.until(name, 'ACTIVE_BLUE', isActive, firstMs);
    for (const [index, step] of steps.entries()) {
      const before = killer.kills;
      flaws.push(...(await transition(stage, name, index + 1, step)));
      kills.push(killer.kills - before);
    }
    return flaws;
  });
  const ends = await Promise.allSettled(lives);
  const words = killer.lastWords();
  killer.stop();
  await operators;
  const flaws = ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : [`${end.reason}\n${words}`]));
  const states = [...killer.states].map(([state, count]) => `${state} ${count}`).join(', ');
  const seconds = Math.round((performance.now() - began) / 1000);
  const fewestKills = Math.min(...kills);
  const text =
    `seed ${seed}: ${kills.length} transitions, ${killer.kills} kills (at least ${fewestKills} during each), ` +
    `${seconds} s; where resources were when the operator was killed: ${states}`;
  return { flaws: [...flaws, ...stage.troubles, ...killer.bugs], fewestKills, text };
}
