/** Deeper than any text in quotes may stand. Blanks at the beginning of its further lines do not count. */
const margin = ' '.repeat(400);

/** Nobody writes more by hand, and each line gets a margin. */
const longest = 500_000;
const mostContinued = 5000;

/**
 * The same YAML with all further lines of texts in quotes indented. Go's library takes them at any column, and templates
 * that print a value of several lines between quotes rely on that; the parser here demands that they are indented. A text
 * that is very long stays as it is.
 */
export function indentedQuotes(text: string): string {
  if (text.length > longest) return text;
  let quote: string | undefined;
  let block: number | undefined;
  let continuations = 0;
  const indented = text
    .split('\n')
    .map((line) => {
      if (quote !== undefined) {
        continuations++;
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
  return continuations > mostContinued ? text : indented;
}

/**
 * `key: |`, `- >-`: the lines below are a text as it is, as far as they are indented more than this column. Step by step, for
 * one expression for all of it would try a long line again from each of its blanks.
 */
function blockOf(line: string): number | undefined {
  const [text = ''] = line.split('#', 1);
  const header = /[|>][-+\d]*$/.exec(text.trimEnd());
  if (header === null) return undefined;
  const front = text.slice(0, header.index);
  if (/['"]/.test(front)) return undefined;
  const before = /^ *(?:- +)*/.exec(front)?.[0] ?? '';
  if (before === front) return before.trimEnd().length - 1;
  return front.endsWith(' ') && /[:-]$/.test(front.trimEnd()) ? before.length : undefined;
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

/** As far back is looked for a tag or an anchor. */
const longestWord = 80;

/** Elsewhere a quote is a character like any other. No expression: a line may consist of nothing but quotes. */
function beginsScalar(line: string, at: number): boolean {
  let end = at;
  while (end > 0 && isBlank(line.charAt(end - 1))) end--;
  if (end === 0) return true;
  const last = line.charAt(end - 1);
  if (last === '[' || last === '{' || last === ',') return true;
  if (end === at) return false;
  if (last === ':' || last === '?' || last === '-') return true;
  for (let from = end - 2; from >= Math.max(0, end - longestWord) && !/\s/.test(line.charAt(from)); from--) {
    if (line.charAt(from) === '!' || line.charAt(from) === '&') return true;
  }
  return false;
}

function isBlank(char: string): boolean {
  return char === ' ' || char === '\t';
}
