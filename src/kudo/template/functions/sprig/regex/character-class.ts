/** A set of characters. */
export type CharacterClass = (code: number) => boolean;

/** Part of a set: characters from one to another, or those with a property of Unicode. */
export type ClassItem =
  | { readonly from: number; readonly to: number }
  | { readonly property: string; readonly isNegated: boolean }
  | { readonly items: readonly ClassItem[]; readonly isNegated: boolean };

/**
 * Whether a character is in one of the items. Letters of either case count if `fold`: Go and JavaScript fold in the same
 * way, one character for one character. Answers are remembered, as texts repeat their characters.
 */
export function characterClass(
  items: readonly ClassItem[],
  options: { negated: boolean; fold: boolean },
): CharacterClass {
  const tests = items.map((item) => testOf(item, options.fold));
  const known = new Map<number, boolean>();
  return (code) => {
    const before = known.get(code);
    if (before !== undefined) return before;
    const answer = tests.some((test) => test(code)) !== options.negated;
    known.set(code, answer);
    return answer;
  };
}

function testOf(item: ClassItem, fold: boolean): CharacterClass {
  if ('items' in item) return characterClass(item.items, { negated: item.isNegated, fold });
  if ('property' in item) {
    const regex = new RegExp(`^\\p{${item.property}}$`, fold ? 'iu' : 'u');
    return (code) => regex.test(String.fromCodePoint(code)) !== item.isNegated;
  }
  const { from, to } = item;
  if (!fold) return (code) => code >= from && code <= to;
  const regex = new RegExp(`^[\\u{${from.toString(16)}}-\\u{${to.toString(16)}}]$`, 'iu');
  return (code) => (code >= from && code <= to) || regex.test(String.fromCodePoint(code));
}

/** The name by which JavaScript knows a class of Go: a general category or a script, in any case. */
export function unicodeProperty(name: string): string | undefined {
  if (!/^[A-Za-z_]+$/.test(name)) return undefined;
  const proper = name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase();
  const candidates = [name, proper].flatMap((spelling) => [`gc=${spelling}`, `Script=${spelling}`, spelling]);
  return candidates.find(isProperty);
}

const OTHERS: ReadonlySet<string> = new Set(['Any', 'Assigned', 'ASCII']);

function isProperty(property: string): boolean {
  if (!property.includes('=')) return OTHERS.has(property);
  try {
    new RegExp(`\\p{${property}}`, 'u');
    return true;
  } catch {
    return false;
  }
}

const letters = (from: string, to: string): ClassItem => ({
  from: from.codePointAt(0) as number,
  to: to.codePointAt(0) as number,
});

const digit = letters('0', '9');
const upper = letters('A', 'Z');
const lower = letters('a', 'z');
const word = [digit, upper, lower, letters('_', '_')];

/** `\d`, `\s`, `\w`: ASCII only. */
export const PERL: ReadonlyMap<string, readonly ClassItem[]> = new Map([
  ['d', [digit]],
  ['s', [letters('\t', '\n'), letters('\f', '\r'), letters(' ', ' ')]],
  ['w', word],
]);

/** `[:alpha:]` and the like: ASCII only. */
export const POSIX: ReadonlyMap<string, readonly ClassItem[]> = new Map([
  ['alnum', [digit, upper, lower]],
  ['alpha', [upper, lower]],
  ['ascii', [letters('\0', '\x7f')]],
  ['blank', [letters('\t', '\t'), letters(' ', ' ')]],
  ['cntrl', [letters('\0', '\x1f'), letters('\x7f', '\x7f')]],
  ['digit', [digit]],
  ['graph', [letters('!', '~')]],
  ['lower', [lower]],
  ['print', [letters(' ', '~')]],
  ['punct', [letters('!', '/'), letters(':', '@'), letters('[', '`'), letters('{', '~')]],
  ['space', [letters('\t', '\r'), letters(' ', ' ')]],
  ['upper', [upper]],
  ['word', word],
  ['xdigit', [digit, letters('A', 'F'), letters('a', 'f')]],
]);
