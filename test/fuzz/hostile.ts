import fc from 'fast-check';

/** Names that mean something to JavaScript. */
export const trapNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'length',
];

/** What breaks readers of any language: control characters, halves of characters, directions, numbers beyond numbers. */
const pieces = [
  ...trapNames,
  ...[
    '',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\0',
    '\x1b[2J',
    '\x9b',
    '\u2028',
    '\u202e',
    '\ufeff',
    '\ud83d',
    '\udc00',
    'é',
    '𝒳',
    'İ',
  ],
  ...[
    '0',
    '-0',
    '-1',
    '1e999',
    '9'.repeat(20),
    '9'.repeat(400),
    '0x10',
    '1_000',
    'NaN',
    'Infinity',
    '１',
    '.',
    '..',
    '../',
  ],
  ...[
    '"',
    "'",
    '`',
    '\\',
    '/',
    ',',
    ';',
    ':',
    '=',
    '!',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '&',
    '*',
    '#',
    '%',
    '$',
    '|',
    '-',
    '+',
  ],
  ...['null', 'true', '<script>', '%s', '{{', '}}', '://', '@', '?'],
];

/** Any text, more often than not one that hurts. */
export function hostileText(more: readonly string[] = [], maxLength = 12): fc.Arbitrary<string> {
  const own = more.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...more) }] : [];
  const piece = fc.oneof(
    ...own,
    { weight: 3, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    { weight: 1, arbitrary: fc.nat({ max: 3000 }).map(String) },
  );
  return fc.array(piece, { maxLength }).map((parts) => parts.join(''));
}

/** A text that was right before somebody inserted, removed, doubled or cut something. */
export function mutated(originals: readonly string[], more: readonly string[] = []): fc.Arbitrary<string> {
  const edit = fc.record({
    kind: fc.constantFrom('insert', 'replace', 'double', 'cut', 'swap'),
    at: fc.nat(),
    length: fc.nat({ max: 30 }),
    text: hostileText(more, 2),
  });
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(edit, { minLength: 0, maxLength: 4 }))
    .map(([original, edits]) => edits.reduce(edited, original));
}

function edited(
  text: string,
  edit: { readonly kind: string; readonly at: number; readonly length: number; readonly text: string },
): string {
  const at = edit.at % (text.length + 1);
  const [before, taken, after] = [text.slice(0, at), text.slice(at, at + edit.length), text.slice(at + edit.length)];
  switch (edit.kind) {
    case 'insert':
      return before + edit.text + taken + after;
    case 'replace':
      return before + edit.text + after;
    case 'double':
      return before + taken + taken + after;
    case 'swap':
      return before + after.slice(0, edit.length) + taken + after.slice(edit.length);
    default:
      return before;
  }
}

/** A text that is too long to be shown when something fails. */
export interface LongText {
  readonly text: string;
}

/** Something short, very often: what a reader that looks back too much does not get through. */
export function longText(more: readonly string[], length = 50_000): fc.Arbitrary<LongText> {
  const unit = fc.oneof(fc.constantFrom(...more), fc.constantFrom(' ', 'a', '0', '-', '.', '\\', '"', '[', '{', '('));
  return fc
    .tuple(fc.constantFrom('', ...more), unit, fc.constantFrom('', '!', '\0', ...more))
    .map(([head, one, tail]) => {
      const times = Math.ceil(length / one.length);
      const shown = `${JSON.stringify(head)} + ${JSON.stringify(one)} × ${times} + ${JSON.stringify(tail)}`;
      return { text: head + one.repeat(times) + tail, [fc.toStringMethod]: () => shown };
    });
}

/** JSON as `JSON.parse` gives it: keys are only keys, also `__proto__`. */
export function hostileJson(keys: readonly string[], maxDepth = 4): fc.Arbitrary<unknown> {
  const { json } = fc.letrec<{ json: string; list: string; map: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth, withCrossShrink: true },
      fc.oneof(
        fc.constantFrom(
          'null',
          'true',
          'false',
          '0',
          '-0',
          '-1',
          '1.5',
          '1e308',
          '1e999',
          '4294967296',
          '""',
          '[]',
          '{}',
        ),
        // What looks like a text or a list, and cannot be measured, printed or added to anything.
        fc.constantFrom('{"length":{"toString":0}}', '{"toString":null,"valueOf":null}'),
        hostileText(keys, 3).map((text) => JSON.stringify(text)),
        fc.integer().map(String),
      ),
      tie('list'),
      tie('map'),
      tie('map'),
    ),
    list: fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    map: fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...keys), fc.constantFrom(...trapNames)), tie('json')), { maxLength: 6 })
      .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`),
  }));
  return json.map((text) => JSON.parse(text) as unknown);
}

/** JSON inside of JSON, so deep that whoever walks it without counting falls. */
export function deepJson(depth: number, key?: string): string {
  const [open, close] = key === undefined ? ['[', ']'] : [`{${JSON.stringify(key)}:`, '}'];
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** A valid value in which some part was replaced by something else, or taken away. */
export function twisted(original: unknown, keys: readonly string[]): fc.Arbitrary<unknown> {
  return fc
    .array(
      fc.tuple(fc.array(fc.nat({ max: 20 }), { maxLength: 5 }), fc.option(hostileJson(keys, 2), { nil: undefined })),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((edits) => edits.reduce((value, [path, other]) => replacedAt(value, path, other), original));
}

function replacedAt(value: unknown, path: readonly number[], other: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== 'object' || value === null) return other ?? null;
  const entries = Object.entries(value);
  if (entries.length === 0) return other ?? null;
  const at = first % entries.length;
  const changed = entries.flatMap(([key, one], index) => {
    if (index !== at) return [[key, one] as const];
    if (rest.length === 0 && other === undefined) return [];
    return [[key, replacedAt(one, rest, other)] as const];
  });
  return Array.isArray(value) ? changed.map(([, one]) => one) : Object.fromEntries(changed);
}
