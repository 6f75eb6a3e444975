/** A set of characters. */
export type CharacterClass = (code: number) => boolean;

/** Characters from one to another. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Part of a set: a range, characters with a property of Unicode, or a class that has a name. */
export type ClassItem =
  | Range
  | { readonly property: string; readonly isNegated: boolean }
  | { readonly items: readonly Range[]; readonly isNegated: boolean };

/**
 * Whether a character is in one of the items. Letters of either case count if `fold`: Go and JavaScript fold in the same
 * way, one character for one character. Answers are remembered, as texts repeat their characters.
 */
export function characterClass(
  items: readonly ClassItem[],
  options: { negated: boolean; fold: boolean },
): CharacterClass {
  const tests = testsOf(items, options.fold);
  const known = new Map<number, boolean>();
  return (code) => {
    const before = known.get(code);
    if (before !== undefined) return before;
    const answer = tests.some((test) => test(code)) !== options.negated;
    known.set(code, answer);
    return answer;
  };
}

/** Few tests, however many items: all ranges are one test, and what is there twice is tested once. */
function testsOf(items: readonly ClassItem[], fold: boolean): readonly CharacterClass[] {
  const ranges = new Map<string, Range>();
  const others = new Map<string | readonly Range[], CharacterClass>();
  const addRange = (range: Range): unknown => ranges.set(`${range.from}-${range.to}`, range);
  for (const item of items) {
    if ('from' in item) addRange(item);
    else if ('property' in item) {
      const key = `${item.isNegated} ${item.property}`;
      if (!others.has(key)) others.set(key, propertyTest(item.property, item.isNegated, fold));
    } else if (!item.isNegated) item.items.forEach(addRange);
    else if (!others.has(item.items)) others.set(item.items, characterClass(item.items, { negated: true, fold }));
  }
  return ranges.size === 0 ? [...others.values()] : [rangeTest([...ranges.values()], fold), ...others.values()];
}

function propertyTest(property: string, isNegated: boolean, fold: boolean): CharacterClass {
  const regex = new RegExp(`^\\p{${property}}$`, fold ? 'iu' : 'u');
  return (code) => regex.test(String.fromCodePoint(code)) !== isNegated;
}

function rangeTest(ranges: readonly Range[], fold: boolean): CharacterClass {
  const [first, second] = ranges;
  if (!fold && first && !second) return (code) => code >= first.from && code <= first.to;
  const written = ranges.map(({ from, to }) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join('');
  const regex = new RegExp(`^[${written}]$`, fold ? 'iu' : 'u');
  return (code) => regex.test(String.fromCodePoint(code));
}

/** The name by which JavaScript knows a class of Go: a general category or a script, in any case. */
export function unicodeProperty(name: string): string | undefined {
  const before = PROPERTIES.get(name);
  if (before !== undefined) return before;
  const found = searched(name);
  if (found !== undefined && PROPERTIES.size < MOST_PROPERTIES) PROPERTIES.set(name, found);
  return found;
}

/** To try names out takes long; those that were found are remembered, but not every spelling there can be. */
const PROPERTIES = new Map<string, string>();
const MOST_PROPERTIES = 1000;

function searched(name: string): string | undefined {
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

const letters = (from: string, to: string): Range => ({
  from: from.codePointAt(0) as number,
  to: to.codePointAt(0) as number,
});

const digit = letters('0', '9');
const upper = letters('A', 'Z');
const lower = letters('a', 'z');
const word = [digit, upper, lower, letters('_', '_')];

/** `\d`, `\s`, `\w`: ASCII only. */
export const PERL: ReadonlyMap<string, readonly Range[]> = new Map([
  ['d', [digit]],
  ['s', [letters('\t', '\n'), letters('\f', '\r'), letters(' ', ' ')]],
  ['w', word],
]);

/** `[:alpha:]` and the like: ASCII only. */
export const POSIX: ReadonlyMap<string, readonly Range[]> = new Map([
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
