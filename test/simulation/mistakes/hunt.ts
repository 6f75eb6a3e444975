import { writeFile } from 'node:fs/promises';
import type { Pki } from '../../../src/embedded/auth/pki.ts';
import { oracleOf } from '../oracles/oracle-of.ts';
import { fits } from '../plan.ts';
import type { Report } from '../simulate.ts';
import { calmOf, type Kill, killOf, run, strikeOf, wrongWith } from './kill.ts';
import { kills, killsFile } from './kills.ts';
import type { Mistake } from './mistake.ts';
import { mistakes } from './mistakes.ts';

/**
 * Looks for a way to notice each mistake, and puts the first on record: those that are named, or all that have none.
 * Returns how many went unnoticed.
 */
export async function hunt(names: readonly string[], pki: Pki): Promise<number> {
  const references = new Map<string, Report>();
  const found: Record<string, Kill> = { ...kills };
  let unnoticed = 0;
  for (const mistake of mistakes) {
    const { name, subject, workload } = mistake;
    if (names.length > 0 ? !names.includes(name) : found[name]) continue;
    const reference = references.get(`${subject} ${workload}`) ?? (await run(mistake, calmOf(mistake), pki, {}));
    references.set(`${subject} ${workload}`, reference);
    const kill = await wayToNotice(mistake, reference, pki);
    console.log(`${name}: ${kill ? JSON.stringify(kill) : 'NOT NOTICED'}`);
    if (kill) found[name] = kill;
    else {
      delete found[name];
      unnoticed += 1;
    }
    const inOrder = mistakes.flatMap(({ name: one }) => (found[one] ? [[one, found[one]]] : []));
    await writeFile(killsFile, `${JSON.stringify(Object.fromEntries(inOrder), undefined, 2)}\n`);
  }
  return unnoticed;
}

async function wayToNotice(mistake: Mistake, reference: Report, pki: Pki): Promise<Kill | undefined> {
  const calm = calmOf(mistake);
  const isNoticed = (found: readonly string[]): boolean =>
    found.length > 0 && (mistake.by === undefined || found.some((what) => oracleOf(what) === mistake.by));
  const report = await run(mistake, calm, pki, mistake.spoil());
  const problems = wrongWith(mistake, calm, report, reference);
  if (isNoticed(problems)) return killOf(problems);
  for (const fault of mistake.faults) {
    for (let number = 1; number <= report.busy; number++) {
      const call = report.calls[number - 1] ?? '';
      if (!fits(fault, call) || !(mistake.at?.test(call) ?? true)) continue;
      const plan = { ...calm, faults: { [number]: fault } };
      const found = wrongWith(mistake, plan, await run(mistake, plan, pki, mistake.spoil()), reference);
      if (!isNoticed(found)) continue;
      const shipped = wrongWith(mistake, plan, await run(mistake, plan, pki, {}), reference);
      if (shipped.length > 0)
        throw new Error(`${JSON.stringify(plan)} fails without the mistake as well: ${shipped[0]}`);
      return killOf(found, strikeOf(fault, number, report.calls));
    }
  }
  return undefined;
}
