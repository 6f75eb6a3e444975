/** `npm run test:real -- SUITE…`: runs suites on real parts, one after the other, and says what came of each. */
import { minutes, reportTo } from '../../rig/progress.ts';
import { exitCode, type Outcome, total } from './outcome.ts';
import { runSuite } from './run-suite.ts';
import { selectSuites } from './suites.ts';

async function main(names: readonly string[]): Promise<number> {
  const progress = reportTo((line) => process.stdout.write(line));
  const results: { readonly name: string; readonly outcome: Outcome; readonly time: string }[] = [];
  for (const suite of selectSuites(names)) {
    const begin = performance.now();
    const outcome = await progress.step(`suite ${suite.name}`, () => runSuite(suite, progress));
    results.push({ name: suite.name, outcome, time: minutes(performance.now() - begin) });
  }
  console.log();
  for (const { name, outcome, time } of results)
    console.log(`${name.padEnd(14)} ${time.padStart(6)}  ${inWords(outcome)}`);
  const outcomes = results.map(({ outcome }) => outcome);
  console.log(inWords({ kind: 'ran', ...total(outcomes) }));
  return exitCode(outcomes, process.env.CI === 'true');
}

function inWords(outcome: Outcome): string {
  if (outcome.kind === 'skipped') return `skipped: ${outcome.reason}`;
  return `${outcome.passed} passed, ${outcome.failed} failed, ${outcome.skipped} skipped`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`test:real: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
