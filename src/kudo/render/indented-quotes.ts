/** Deeper than any text in quotes may stand. Blanks at the beginning of its further lines do not count. */
const margin = ' '.repeat(400);

/** `key: |`, `- >-`: the lines below are a text as it is, as far as they are indented more than `before`. */
const blockScalar = /^(?<before> *(?:- +)*)(?<key>[^'"#]*?[:-] +|)[|>][-+\d]*\s*(?:#.*)?$/;

/**
 * The same YAML with all further lines of texts in quotes indented. Go's library takes them at any column, and templates
 * that print a value of several lines between quotes rely on that; the parser here demands that they are indented.
 */
export function indentedQuotes(text: string): string {
  let quote: string | undefined;
  let block: number | undefined;
  return text
    .split('\n')
    .map((line) => {
      if (quote !== undefined) {
        const continued = margin + line.trimStart();
        quote = quoteAfter(line, quote);
        return continued;
      }
      const indent = line.search(/\S/);
      if (block !== undefined && (indent === -1 || indent > block)) return line;
      block = blockOf(line);
      if (block === undefined) quote = quoteAfter(line, undefined);
      return line;
    })
    .join('\n');
}

/** The column that the lines of a block scalar that begins here must be beyond. */
function blockOf(line: string): number | undefined {
  const { before, key } = blockScalar.exec(line.trimEnd())?.groups ?? {};
  if (before === undefined) return undefined;
  return key === '' ? before.trimEnd().length - 1 : before.length;
}

/** Which quote is open at the end of a line, when `open` was at its beginning. */
function quoteAfter(line: string, open: string | undefined): string | undefined {
  let quote = open;
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote === '"' && char === '\\') at++;
    else if (quote === "'" && char === quote && line.charAt(at + 1) === quote) at++;
    else if (quote !== undefined) quote = char === quote ? undefined : quote;
    else if (char === '#' && (at === 0 || /\s/.test(line.charAt(at - 1)))) return undefined;
    else if ((char === '"' || char === "'") && beginsScalar(line, at)) quote = char;
  }
  return quote;
}

/** Elsewhere a quote is a character like any other. */
function beginsScalar(line: string, at: number): boolean {
  return /(?:^|[:?-][ \t]|[[{,]|[!&]\S+[ \t])[ \t]*$/.test(line.slice(Math.max(0, at - 80), at));
}
