/**
 * Lists and maps in one line, as Flink writes them: `a;b`, `key:value,other:value`. An element that contains the
 * separator or a quote is quoted; a quote within is doubled.
 */
export function parseList(text: string): readonly string[] | undefined {
  return text.trim() === '' ? [] : split(text, ';');
}

export function showList(elements: readonly string[]): string {
  return elements.map((element) => quoted(element, ';')).join(';');
}

/** Undefined when some element has no value. */
export function parseMap(text: string): ReadonlyMap<string, string> | undefined {
  const map = new Map<string, string>();
  if (text.trim() === '') return map;
  const entries = split(text, ',');
  if (entries === undefined) return undefined;
  for (const entry of entries) {
    const parts = split(entry, ':');
    if (parts === undefined || parts.length !== 2) {
      // A value with colons (a URL) needs no quotes: only the first one separates.
      const colon = entry.indexOf(':');
      if (colon < 1 || /^\s*['"]/.test(entry)) return undefined;
      map.set(entry.slice(0, colon).trim(), entry.slice(colon + 1).trim());
      continue;
    }
    const [key = '', value = ''] = parts;
    map.set(key, value);
  }
  return map;
}

export function showMap(map: Iterable<readonly [string, string]>): string {
  return [...map].map(([key, value]) => quoted(`${quoted(key, ':')}:${quoted(value, ':')}`, ',')).join(',');
}

/** A list of maps: `key:a,operator:Exists;key:b`. */
export function parseMaps(text: string): readonly ReadonlyMap<string, string>[] | undefined {
  const maps = parseList(text)?.map(parseMap);
  return maps?.every((map) => map !== undefined) ? maps : undefined;
}

function quoted(element: string, separator: string): string {
  return /['"]/.test(element) || element.includes(separator) ? `'${element.replaceAll("'", "''")}'` : element;
}

/** The parts between separators that stand outside of quotes, trimmed. Undefined when a quote is not closed. */
function split(text: string, separator: string): string[] | undefined {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    while (text[at] === ' ') at++;
    const quote = text[at];
    if (quote === "'" || quote === '"') {
      const end = closing(text, at, quote);
      if (end === undefined) return undefined;
      parts.push(text.slice(at + 1, end).replaceAll(quote + quote, quote));
      at = end + 1;
      while (text[at] === ' ') at++;
      if (at < text.length && text[at] !== separator) return undefined;
    } else {
      const end = text.indexOf(separator, at);
      parts.push(text.slice(at, end < 0 ? undefined : end).trim());
      at = end < 0 ? text.length : end;
    }
    if (at >= text.length) return parts;
    at++;
  }
}

/** Where the quote at `open` ends; a doubled one does not end it. */
function closing(text: string, open: number, quote: string): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] !== quote) continue;
    if (text[at + 1] !== quote) return at;
    at++;
  }
  return undefined;
}
