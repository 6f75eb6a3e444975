import { parseArgs } from 'node:util';
import { seededRandom } from '../src/clock/random.ts';
import { realClock } from '../src/clock/real.ts';
import { openPki } from '../src/embedded/auth/pki.ts';
import { judge } from './simulation/judge.ts';
import { minimise } from './simulation/minimise.ts';
import { hunt } from './simulation/mistakes/hunt.ts';
import { calmed, type Plan, replay } from './simulation/plan.ts';
import { randomPlan } from './simulation/random-plan.ts';
import { type Report, simulate } from './simulation/simulate.ts';
import type { Subject } from './simulation/subject.ts';
import { subjects } from './simulation/subjects.ts';

/** So many disturbed runs are compared with one undisturbed run. */
const runsPerReference = 4;

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    subject: { type: 'string' },
    workload: { type: 'string' },
    seed: { type: 'string' },
    faults: { type: 'string', default: '4' },
    mistakes: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [minutes, most] = [Number(values.minutes), Number(values.faults)];
const from = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed);
const chosen = subjects.filter(({ name }) => values.subject === undefined || name === values.subject);
if (chosen.length === 0 || !(minutes > 0) || !(most >= 1) || !Number.isFinite(from)) {
  const names = subjects.map(({ name }) => name).join(', ');
  console.error(
    `usage: npm run simulate -- --minutes N [--subject S] [--workload W] [--seed N] [--faults MOST]; subjects: ${names}\n` +
      '       npm run simulate -- --mistakes [NAME …]',
  );
  process.exit(2);
}

const pki = await openPki({ clock: realClock });
if (values.mistakes) process.exit(Math.min(1, await hunt(positionals, pki)));

const end = realClock.now() + minutes * 60_000;
const tally = { runs: 0, virtualMs: 0 };
const began = process.cpuUsage();
let told = realClock.now();

async function run(subject: Subject, plan: Plan): Promise<Report> {
  const report = await simulate(subject, plan, pki);
  tally.runs += 1;
  tally.virtualMs += report.virtualMs;
  return report;
}

function tell(): void {
  const { user, system } = process.cpuUsage(began);
  const cpuMs = (user + system) / 1000;
  const ratio = Math.round(tally.virtualMs / cpuMs);
  const hours = (tally.virtualMs / 3_600_000).toFixed(1);
  console.log(`${tally.runs} runs, ${hours} h of virtual time in ${Math.round(cpuMs / 1000)} s of CPU: ${ratio} times`);
}

/** What is wrong with a run of the plan, compared with the run that it must be like. */
async function problemsOf(subject: Subject, plan: Plan, known?: Report): Promise<readonly string[]> {
  const undisturbed = known ?? (await run(subject, calmed(plan, subject.mischief)));
  try {
    return judge(subject, plan, await run(subject, plan), undisturbed);
  } catch (error) {
    return [`it broke off: ${error}`];
  }
}

async function fail(subject: Subject, plan: Plan, problems: readonly string[]): Promise<never> {
  console.log(problems.join('\n').slice(0, 4_000));
  console.log(`found by: ${replay(plan)}\nmaking the plan smaller …`);
  const least = await minimise(plan, async (smaller) => (await problemsOf(subject, smaller)).length > 0);
  tell();
  console.log(`it fails. Run it again with:\n${replay(least)}`);
  process.exit(1);
}

console.log(`seed ${from}, ${minutes} minutes: ${chosen.map(({ name }) => name).join(', ')}`);
const scenarios = chosen.flatMap((subject) => subject.workloads.map((workload) => ({ subject, workload })));
const played = scenarios.filter(({ workload }) => values.workload === undefined || workload === values.workload);
for (let round = 0; realClock.now() < end; round++) {
  for (const { subject, workload } of played) {
    const seed = from + round;
    const calm: Plan = { subject: subject.name, workload, seed, faults: {} };
    const undisturbed = await run(subject, calm);
    if (undisturbed.violations.length > 0) await fail(subject, calm, undisturbed.violations);
    const random = seededRandom(seed * 7919 + subject.workloads.indexOf(workload));
    for (let count = 0; count < runsPerReference && realClock.now() < end; count++) {
      const plan = randomPlan(subject, calm, undisturbed, random, most);
      const problems = await problemsOf(subject, plan, plan.acts ? undefined : undisturbed);
      if (problems.length > 0) await fail(subject, plan, problems);
      if (realClock.now() - told >= 60_000) {
        told = realClock.now();
        tell();
      }
    }
  }
}
tell();
console.log('nothing was found');
