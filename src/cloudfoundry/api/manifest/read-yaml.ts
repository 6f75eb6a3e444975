import { isScalar, Lexer, parseDocument, visit } from 'yaml';

/** Aliases may make a text larger than it is, up to so many times. */
const mostAliases = 100;

/** How much a text may consist of, and how deep it may nest: reading takes its time by that, not by the length. */
const most = { pieces: 16_000, depth: 64 };

/**
 * The value of a YAML text. Throws for what cannot be read, and for a map with the same key twice: one of the two was meant;
 * a `RangeError` for what would take too long to read.
 *
 * That is looked for here, because the parser compares every key with every other one: a map of 60,000 keys would keep the
 * whole process busy for minutes.
 */
export function readYaml(text: string): unknown {
  assertCheap(text);
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw error;
  visit(document, {
    Map(_at, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : key;
        if (keys.has(name)) throw new SyntaxError(`the key ${JSON.stringify(name)} is there twice`);
        keys.add(name);
      }
    },
  });
  return document.toJS({ maxAliasCount: mostAliases });
}

/** To cut a text into pieces takes a hundredth of the time that it takes to make sense of them. */
function assertCheap(text: string): void {
  let [pieces, depth, row] = [0, 0, 0];
  for (const piece of new Lexer().lex(text)) {
    pieces += 1;
    if (piece === '[' || piece === '{') depth += 1;
    if (piece === ']' || piece === '}') depth -= 1;
    // Each of these opens a collection within the one before, when they stand in one line.
    if (piece === '-' || piece === '?' || piece === ':') row += 1;
    if (piece === '\n' || piece === ',') row = 0;
    if (depth > most.depth || row > most.depth) throw new SyntaxError('it nests too deep');
    if (pieces > most.pieces) throw new RangeError('it is too much to read');
  }
}
