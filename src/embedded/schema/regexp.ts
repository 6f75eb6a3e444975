const compiled = new Map<string, RegExp | Error>();

const posix: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9a-fA-F',
};

/**
 * A Go (RE2) pattern as a JavaScript one; an `Error` that says why when it is not a pattern at all.
 *
 * Patterns come from CRDs, whose authors are administrators: JavaScript's engine backtracks where RE2 does not.
 */
export function goRegExp(pattern: string): RegExp | Error {
  let known = compiled.get(pattern);
  if (!known) {
    known = compile(pattern);
    if (compiled.size >= 10_000) compiled.clear();
    compiled.set(pattern, known);
  }
  return known;
}

function compile(pattern: string): RegExp | Error {
  let flags = '';
  const source = pattern
    .replace(/^\(\?([ims]+)\)/, (_, letters: string) => {
      flags = letters;
      return '';
    })
    .replace(/\(\?P</g, '(?<')
    .replace(/\\A/g, '^')
    .replace(/\\z/g, '$')
    .replace(/\[:(\w+):\]/g, (whole, name: string) => posix[name] ?? whole);
  if (/\(\?(?:[=!]|<[=!])/.test(source)) {
    const at = /\(\?<?[=!]/.exec(source)?.[0] ?? '(?';
    return new Error(`error parsing regexp: invalid or unsupported Perl syntax: \`${at}\``);
  }
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    try {
      return new RegExp(source, flags);
    } catch (error) {
      return new Error(`error parsing regexp: ${reasonOf(pattern, String(error))}`);
    }
  }
}

/** The commonest mistakes in Go's words. */
function reasonOf(pattern: string, message: string): string {
  if (message.includes('Unterminated group')) return `missing closing ): \`${pattern}\``;
  if (message.includes('Unterminated character class')) {
    return `missing closing ]: \`${pattern.slice(pattern.lastIndexOf('['))}\``;
  }
  const repeated = /(?:^|[|(])([*+?])/.exec(pattern)?.[1];
  if (message.includes('Nothing to repeat') && repeated) {
    return `missing argument to repetition operator: \`${repeated}\``;
  }
  return message.replace(/^.*: /, '');
}
