import { isList, type Spelled, textOf } from './java-spelling.ts';

/** One line of the upstream's listing of changes: `podTemplate.spec.containers.0.env.1 : {..} -> null`. */
export interface Listed {
  readonly path: string;
  readonly from: Spelled;
  readonly to: Spelled;
}

/** Longest product of two lists' lengths for which common elements are searched; beyond it they are told as a whole. */
const longest = 250_000;

/**
 * What differs between two spelled values, as the upstream lists it: members of the left value in their order, then what
 * the right one adds. Lists are aligned by their longest common subsequence; positions are those after the changes so
 * far, so of several removals in a row all have the same position.
 */
export function listChanges(path: string, left: Spelled, right: Spelled): readonly Listed[] {
  if (left instanceof Map && right instanceof Map) return members(path, left, right);
  if (isList(left) && isList(right) && left.length * right.length <= longest) return elements(path, left, right);
  return same(left, right) ? [] : [{ path, from: left, to: right }];
}

const nothing: Spelled = 'null';

function members(path: string, left: ReadonlyMap<string, Spelled>, right: ReadonlyMap<string, Spelled>): Listed[] {
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].flatMap((name) => [
    ...listChanges(`${path}.${escaped(name)}`, left.get(name) ?? nothing, right.get(name) ?? nothing),
  ]);
}

/** Names are written as in a JSON pointer: `prometheus.io~1scrape`. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function elements(path: string, left: readonly Spelled[], right: readonly Spelled[]): Listed[] {
  const common = longestCommon(left.map(textOf), right.map(textOf));
  const listed: Listed[] = [];
  let [i, j, position] = [0, 0, 0];
  /** Everything before the next common pair, or the end. */
  const until = (leftEnd: number, rightEnd: number): void => {
    while (i < leftEnd || j < rightEnd) {
      const [from, to] = [i < leftEnd ? left[i] : undefined, j < rightEnd ? right[j] : undefined];
      const at = `${path}.${position}`;
      if (from !== undefined && to !== undefined) listed.push(...listChanges(at, from, to));
      else listed.push({ path: at, from: from ?? nothing, to: to ?? nothing });
      if (from !== undefined) i++;
      if (to !== undefined) [j, position] = [j + 1, position + 1];
    }
  };
  for (const [nextLeft, nextRight] of common) {
    until(nextLeft, nextRight);
    [i, j, position] = [i + 1, j + 1, position + 1];
  }
  until(left.length, right.length);
  return listed;
}

/** Index pairs of a longest common subsequence. */
function longestCommon(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      lengths[i * width + j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < left.length && j < right.length; ) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

function same(left: Spelled, right: Spelled): boolean {
  return left === right || textOf(left) === textOf(right);
}
