/** What stands between `%` and the verb. */
export interface Directive {
  readonly minus: boolean;
  readonly plus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  readonly width?: number;
  readonly precision?: number;
  /** `%#v`: Go syntax. */
  readonly goSyntax: boolean;
}

/** `%v`, without anything. */
export const PLAIN: Directive = {
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  goSyntax: false,
};

/** Filled up to the width, counted in characters: left by default, with zeros if asked for. */
export function pad(text: string, directive: Directive): string {
  if (!directive.width) return text;
  return withFill(text, directive.width - characters(text), directive);
}

/** The text with so many spaces, or zeros, before it or after it. */
export function withFill(text: string, count: number, { minus, zero }: Directive): string {
  if (count <= 0) return text;
  return minus ? text + ' '.repeat(count) : (zero ? '0' : ' ').repeat(count) + text;
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
