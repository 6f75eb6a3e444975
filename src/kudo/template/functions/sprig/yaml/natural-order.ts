import { isLetter } from '../case.ts';

const DIGIT = /^\p{Nd}$/u;

/** The order of two different keys in yaml.v2: what is no letter before letters, and numbers in names by their value, `a9` before `a10`. */
export function naturalOrder(a: string, b: string): number {
  return isBefore([...a], [...b]) ? -1 : 1;
}

function isBefore(a: readonly string[], b: readonly string[]): boolean {
  const at = a.findIndex((character, index) => character !== b[index]);
  const [ours, theirs] = [a[at], b[at]];
  if (ours === undefined || theirs === undefined) return a.length < b.length;
  if (isLetter(ours) && isLetter(theirs)) return code(ours) < code(theirs);
  if (isLetter(ours) || isLetter(theirs)) return isLetter(theirs);

  // A zero inside a number counts as a digit of it; in front of a number it does not.
  const inside = (ours === '0' || theirs === '0') && isInsideNumber(a, at) ? 1n : 0n;
  const [mine, other] = [numberAt(a, at, inside), numberAt(b, at, inside)];
  if (mine.value !== other.value) return mine.value < other.value;
  if (mine.end !== other.end) return mine.end < other.end;
  return code(ours) < code(theirs);
}

function isInsideNumber(characters: readonly string[], at: number): boolean {
  for (let before = at - 1; before >= 0 && DIGIT.test(characters[before] as string); before -= 1) {
    if (characters[before] !== '0') return true;
  }
  return false;
}

function numberAt(characters: readonly string[], at: number, start: bigint): { value: bigint; end: number } {
  let value = start;
  let end = at;
  for (; end < characters.length && DIGIT.test(characters[end] as string); end += 1) {
    value = BigInt.asIntN(64, value * 10n + BigInt(code(characters[end] as string) - 0x30));
  }
  return { value, end };
}

function code(character: string): number {
  return character.codePointAt(0) as number;
}
