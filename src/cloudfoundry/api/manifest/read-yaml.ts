import { isScalar, parseDocument, visit } from 'yaml';

/** Aliases may make a text larger than it is, up to so many times. */
const mostAliases = 100;

/**
 * The value of a YAML text. Throws for what cannot be read, and for a map with the same key twice: one of the two was meant.
 *
 * That is looked for here, because the parser compares every key with every other one: a map of 60,000 keys would keep the
 * whole process busy for minutes.
 */
export function readYaml(text: string): unknown {
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
