import { hostname } from 'node:os';
import { stopSignal } from '../cli/stop-signal.ts';
import type { OurFinalizer } from '../cli/uninstall/release-resources.ts';
import { exitCodes, uninstall as run } from '../cli/uninstall/uninstall.ts';
import type { UninstallOptions } from '../cli/uninstall/uninstall-command.ts';
import { keeperOf, manager } from '../control/custody.ts';
import { LeaderLease } from '../control/lease.ts';
import { type Log, silent } from '../control/log.ts';
import { type FamilyName, familyNames } from './families.ts';
import { realShell } from './shell.ts';

/** `cutover uninstall`: nothing holds our resources any more, and nothing of what they run is touched. */
export async function uninstall(options: UninstallOptions): Promise<void> {
  const signal = stopSignal();
  const { clock, random, open, write, exit } = realShell('cutover-uninstall');
  const { client, close } = await open(options);
  const { leaseNamespace: namespace, family, off, watchNamespace: namespaces, timeout } = options;
  const { dryRun, wait, withoutLease } = options;
  const identity = `uninstall_${process.env.POD_NAME ?? hostname()}_${random.uuid()}`;
  const say = (line: string): void => write(`${line}\n`);
  const log = troubleTeller(say);
  try {
    const end = await run({
      ...{ client, clock, namespaces, dryRun, wait, withoutLease, signal },
      lease: new LeaderLease({ client, clock, random, log, namespace, name: 'cutover', identity }),
      leaseName: `${namespace}/cutover`,
      finalizers: await finalizersOf(family.length > 0 ? (family as readonly FamilyName[]) : familyNames, off),
      timeoutMs: timeout * 1000,
      say,
    });
    exit(exitCodes[end]);
  } finally {
    await close();
  }
}

/**
 * Those of the families that are chosen: nobody has rights on the kinds of one that was never switched on. Others have finalizers of
 * the same names, so those of kinds that are left to them are theirs, and those of objects whose status they keep.
 *
 * @param off kinds in lower case
 */
export async function finalizersOf(
  families: readonly FamilyName[],
  off: readonly string[] = [],
): Promise<readonly OurFinalizer[]> {
  const all: readonly (OurFinalizer & { readonly others: readonly string[] })[] = [
    ...(families.includes('flink') ? (await import('../flink/finalizers.ts')).flinkFinalizers : []),
    ...(families.includes('cloudfoundry')
      ? (await import('../cloudfoundry/finalizers.ts')).cloudFoundryFinalizers
      : []),
    ...(families.includes('kudo') ? (await import('../kudo/finalizers.ts')).kudoFinalizers : []),
  ];
  return all
    .filter(({ type }) => !off.includes(type.kind.toLowerCase()))
    .map(({ others, ...one }) => ({
      ...one,
      keeper: (object) => keeperOf(object, { foreignManagers: others, manager }),
    }));
}

/** Says why the lease cannot be had, each reason once. */
function troubleTeller(say: (line: string) => void): Log {
  let last = '';
  return {
    ...silent,
    warn({ error }, message) {
      const line = `${message}: ${error instanceof Error ? error.message : String(error)}`;
      if (line !== last) say(line);
      last = line;
    },
  };
}
