/**
 * Why the API server could not use this regular expression, or `undefined` when it can. The server's engine is RE2: no
 * look-around, no back-references, no `\u` escapes, no flags, repetitions up to 1000. What both engines know has the
 * same meaning in both.
 */
export function patternProblem(pattern: RegExp): string | undefined {
  if (/[imsy]/.test(pattern.flags)) return `the flag${pattern.flags.length > 1 ? 's' : ''} "${pattern.flags}"`;
  const source = pattern.source;
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const rest = source.slice(at);
    if (rest[0] === '\\') {
      if (/^\\[1-9]/.test(rest) && !inClass) return 'a back-reference';
      if (/^\\k/.test(rest)) return 'a named back-reference';
      if (/^\\[uc]/.test(rest)) return `the escape "${rest.slice(0, 2)}"`;
      at++;
    } else if (inClass) {
      if (rest[0] === ']') inClass = false;
    } else if (/^\[\^?\]/.test(rest)) {
      return 'an empty character class';
    } else if (rest[0] === '[') {
      inClass = true;
    } else if (/^\(\?<?[=!]/.test(rest)) {
      return 'look-around';
    } else if (repetitions(rest) > 1000) {
      return 'more than 1000 repetitions';
    }
  }
  return undefined;
}

function repetitions(rest: string): number {
  const [, least = '0', most = least] = /^\{(\d+)(?:,(\d*))?\}/.exec(rest) ?? [];
  return Math.max(Number(least), Number(most));
}
