import type { Random } from '../../src/clock/random.ts';

/** Something that a person does with a workload, and how it is seen that all is well again. */
export interface Deed {
  readonly workload: string;
  /** After `cutover`. */
  readonly command: readonly string[];
  /** After `cutover status`. */
  readonly status: readonly string[];
}

/** What people do all day, one thing after the other, to the samples of every family. The same seed gives the same day. */
export function* dayOf(random: Random): Generator<Deed, never> {
  const orders = { workload: 'orders', status: ['bluegreen/orders'] };
  const ledger = { workload: 'ledger', status: ['instance/ledger'] };
  const hello = { workload: 'hello', status: ['app/hello', '-A'] };
  for (;;) {
    const nodes = String(3 + Math.floor(random.next() * 3));
    const deeds: Deed[] = [
      { ...orders, command: ['restart', 'bluegreen/orders'] },
      { ...ledger, command: ['kudo', 'update', '--instance', 'ledger', '-p', `NODE_COUNT=${nodes}`] },
      { ...hello, command: ['restart', 'app/hello', '-A'] },
      { ...ledger, command: ['restart', 'instance/ledger'] },
    ];
    while (deeds.length > 0) {
      const [deed] = deeds.splice(Math.floor(random.next() * deeds.length), 1);
      if (deed) yield deed;
    }
  }
}
