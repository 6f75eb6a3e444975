import { seededRandom } from '../../../src/clock/random.ts';

/** What a person does to a resource, and so what becomes of it. */
export type Step =
  /** An edit that needs the other side, and a savepoint for it. */
  | { readonly does: 'edit' }
  /** And another one before that is over. */
  | { readonly does: 'edit twice'; readonly afterMs: number }
  /** `savepointRedeployNonce` with a savepoint that is there. */
  | { readonly does: 'redeploy from a savepoint' }
  /** `statelessRedeployNonce`. */
  | { readonly does: 'redeploy without state' }
  /** An edit, and `savepointRedeployNonce` while its target starts: seed 003. */
  | { readonly does: 'redeploy midway' }
  /** An edit whose side never comes up: it is given up. */
  | { readonly does: 'break' };

/** When the operator is killed: so many writes after its start, in the very moment of the last one, or so much later. */
export interface Moment {
  readonly writes: number;
  readonly afterMs: number;
}

/** All that chance decides, from one number. */
export interface Plan {
  /** What happens to each resource, one after the other. */
  readonly steps: readonly (readonly Step[])[];
  /** When each operator is killed, for as long as there are any. */
  moments(): Iterator<Moment, never>;
}

/** So often each step is done, roughly, of ten. */
const often: readonly Step['does'][] = [
  ...(['edit', 'edit', 'edit', 'edit', 'edit twice', 'edit twice'] as const),
  ...(['redeploy from a savepoint', 'redeploy without state', 'redeploy midway', 'break'] as const),
];

const makesSavepoint: ReadonlySet<Step['does']> = new Set(['edit', 'edit twice']);
const needsSavepoint: ReadonlySet<Step['does']> = new Set(['redeploy from a savepoint', 'redeploy midway']);

/** A second edit comes before the target of the first can be ready. */
const midwayMs = 2_500;

/** About as many writes as one transition takes, of all controllers. */
const mostWrites = 50;
const mostDelayMs = 1_500;

export function planOf(seed: number, resources: number, transitions: number): Plan {
  const random = seededRandom(seed);
  const below = (limit: number): number => Math.floor(random.next() * limit);
  const next = (before: readonly Step[]): Step => {
    const drawn = often[below(often.length)] ?? 'edit';
    const has = before.some(({ does }) => makesSavepoint.has(does));
    const does = needsSavepoint.has(drawn) && !has ? 'edit' : drawn;
    return does === 'edit twice' ? { does, afterMs: below(midwayMs) } : { does };
  };
  const steps = Array.from({ length: resources }, (_, at) => {
    const count = Math.floor(transitions / resources) + (at < transitions % resources ? 1 : 0);
    const mine: Step[] = [];
    while (mine.length < count) mine.push(next(mine));
    return mine;
  });
  return {
    steps,
    *moments() {
      for (;;) {
        const writes = 1 + below(mostWrites);
        // Half of them before the answer to the last write can arrive.
        yield { writes, afterMs: below(2) === 0 ? 0 : below(mostDelayMs) };
      }
    },
  };
}
