import { decideBlueGreen } from '../src/flink/decide/bluegreen/blue-green.ts';
import { remembering } from './explore/decider.ts';
import { invariants } from './explore/invariants.ts';
import { exploreScenario } from './explore/scenario.ts';
import { scenarios } from './explore/scenarios.ts';
import type { Variant } from './explore/variants/variant.ts';
import { variants } from './explore/variants/variants.ts';
import { cell, generated } from './markdown.ts';
import { kills } from './simulation/mistakes/kills.ts';
import { mistakes } from './simulation/mistakes/mistakes.ts';

/** `docs/track-record.md`: which mistakes are known, and what finds each. */
export function trackRecordPage(): string {
  return [
    generated,
    '# Track record',
    '',
    'Mistakes that operators of this field are known to make, or are likely to, each made again on purpose. `npm test` makes all of',
    'them, and fails when one goes unnoticed.',
    '',
    ...simulated(),
    ...explored(),
  ].join('\n');
}

/** As the simulation has them on record; its test holds the record against runs. */
function simulated(): readonly string[] {
  return [
    '## In whole operators',
    '',
    `${mistakes.length} mistakes of all families, found by [the simulation](operate/simulation.md) (\`test/simulation/mistakes\`). The classes are`,
    'those of Sieve (OSDI’22): **stale state**, acting on what is no longer so; **intermediate state**, not understanding what a crash',
    'between two writes leaves behind; **unobserved state**, believing that whatever happened was seen happening; **indirect**, wrong',
    'by itself or once something fails. Where a fault is named, the mistake does no harm without it, and the fault does none to the',
    'operator that ships.',
    '',
    '| mistake | seen in | class | with which fault | noticed by |',
    '| --- | --- | --- | --- | --- |',
    ...mistakes.map(({ name, bug, seenIn, root, workload }) => {
      const { strike, oracles } = kills[name] ?? { oracles: ['nobody'] };
      const fault = strike ? `${strike.fault} at \`${strike.call}\` (${strike.nth})` : 'none';
      const noticed = oracles.join(', ');
      return `| **${cell(name)}** (${cell(workload)}): ${cell(bug)} | ${cell(seenIn)} | ${root} | ${cell(fault)} | ${noticed} |`;
    }),
    '',
  ];
}

function explored(): readonly string[] {
  const found = variants.map((variant) => ({ variant, ...find(variant) }));
  return [
    '## In the decision on blue/green deployments',
    '',
    'Mistakes that blue/green controllers are known to make, or are likely to, found by the explorer (`test/explore`). It looks at',
    'every world that edits, crashes between any two actions, lost answers, late requests, old reads, failures and time can lead to,',
    'and at every step and every end asks what must never be the case:',
    '',
    ...Object.entries(invariants).map(([name, text]) => `- **${name}**: ${text}`),
    '',
    'The decision that ships breaks none of them in any world of these scenarios, which `npm test` looks at whole:',
    '',
    '| scenario | edits | what may happen |',
    '| --- | --- | --- |',
    ...scenarios.map(
      ({ name, edits, budget }) => `| ${cell(name)} | ${cell(edits.join(', '))} | ${cell(words(budget))} |`,
    ),
    '',
    '### Mistakes',
    '',
    '| mistake | seen in | broken | worlds looked at | steps |',
    '| --- | --- | --- | --- | --- |',
    ...found.map(({ variant: { name, bug, seenIn, breaks }, worlds, trace }) => {
      const link = `[${name}](#${name
        .toLowerCase()
        .replaceAll(/[^a-z -]/g, '')
        .replaceAll(' ', '-')})`;
      return `| ${link}: ${cell(bug)} | ${cell(seenIn)} | ${breaks} | ${worlds} | ${trace.length} |`;
    }),
    '',
    '### The shortest way to each',
    '',
    'With the fewest edits and mishaps, and of those ways the one with the fewest steps to where nothing more has to go wrong.',
    '',
    ...found.flatMap(({ variant: { name, bug, breaks }, trace, why }) => [
      `#### ${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      '',
      `${bug} Broken: ${breaks} (${why}).`,
      '',
      ...trace.map((step, index) => `${index + 1}. ${step}`),
      '',
    ]),
  ];
}

function find({ name, scenario, breaks, of }: Variant) {
  const explored = exploreScenario({ name, ...scenario }, remembering(of(decideBlueGreen)), { firstOnly: true });
  const violation = explored.found.find(({ invariant }) => invariant === breaks);
  if (!violation) throw new Error(`the explorer no longer finds “${name}”`);
  return { worlds: explored.distinct, trace: violation.trace, why: violation.why };
}

function words(budget: object): string {
  return Object.entries(budget)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ');
}
