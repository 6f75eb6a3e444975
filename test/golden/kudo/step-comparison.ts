import type { Facts } from './step-facts.ts';

/** Something that is not as it was recorded; an empty text: it is not there. */
export interface Difference {
  readonly fact: string;
  readonly theirs: string;
  readonly ours: string;
}

/** Which execution of ours stands for which of theirs. */
export type Executions = ReadonlyMap<string, string>;

interface Comparison {
  readonly differences: readonly Difference[];
  readonly executions: Executions;
}

/**
 * Compares all facts. Uids of executions are compared by where they come again: the first that meets a recorded one stands
 * for it from then on, and for no other.
 */
export function compareFacts(theirs: Facts, ours: Facts, known: Executions): Comparison {
  const executions = new Map(known);
  const taken = new Set(known.values());
  const differences: Difference[] = [];
  for (const fact of [...new Set([...theirs.keys(), ...ours.keys()])].sort()) {
    const [their, our] = [theirs.get(fact) ?? '', ours.get(fact) ?? ''];
    if (fact.endsWith(' uid') && their !== '' && our !== '') {
      if (!executions.has(their) && !taken.has(our)) {
        executions.set(their, our);
        taken.add(our);
      }
      if (executions.get(their) !== our) differences.push({ fact, theirs: their, ours: our });
    } else if (their !== our) differences.push({ fact, theirs: their, ours: our });
  }
  return { differences, executions };
}

/** How pods changed since the step before: `2 as before`, `2 of another template`. Of Jobs only how many there are. */
export function podChanges(
  before: ReadonlyMap<string, readonly string[]>,
  now: ReadonlyMap<string, readonly string[]>,
): Facts {
  return new Map(
    [...now].map(([workload, templates]) => {
      const old = before.get(workload);
      const same = old && new Set([...old, ...templates]).size === new Set(old).size && sameSet(old, templates);
      const how = workload.startsWith('Job') ? '' : !old ? ' first' : same ? ' as before' : ' of another template';
      return [`pods of ${workload}`, `${templates.length}${how}`];
    }),
  );
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [new Set(one), new Set(other)];
  return left.size === right.size && [...left].every((item) => right.has(item));
}
