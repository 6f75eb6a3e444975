import { type Directive, pad } from './directive.ts';
import { type FloatVerb, formatFloat, SHORTEST } from './float.ts';

const VERBS: ReadonlyMap<string, readonly [FloatVerb, number]> = new Map([
  ['v', ['g', SHORTEST]],
  ['b', ['b', SHORTEST]],
  ['g', ['g', SHORTEST]],
  ['G', ['G', SHORTEST]],
  ['x', ['x', SHORTEST]],
  ['X', ['X', SHORTEST]],
  ['f', ['f', 6]],
  ['F', ['f', 6]],
  ['e', ['e', 6]],
  ['E', ['E', 6]],
]);

/** A float64 as a verb of Go's fmt prints it; undefined when the verb is not for floats. */
export function formatNumber(value: number, verb: string, directive: Directive): string | undefined {
  const known = VERBS.get(verb);
  if (known === undefined) return undefined;
  const [how, usual] = known;
  const precision = directive.precision ?? usual;
  const plain = formatFloat(value, how, precision);
  const isSigned = plain.startsWith('-') || plain.startsWith('+');
  const sign = isSigned ? plain.charAt(0) : '+';
  const size = isSigned ? plain.slice(1) : plain;
  const shown = sign === '-' || directive.plus ? sign : directive.space ? ' ' : '';

  if (!Number.isFinite(value)) {
    const kept = size === 'Inf' ? (shown === '' && sign === '+' ? '+' : shown) : shown;
    return pad(kept + size, { ...directive, zero: false });
  }
  const body = directive.sharp && how !== 'b' ? withDigits(size, how, precision) : size;
  const room = (directive.width ?? 0) - shown.length - body.length;
  if (shown !== '' && directive.zero && !directive.minus && room > 0) return shown + '0'.repeat(room) + body;
  return pad(shown + body, directive);
}

/** `#` keeps the point and the zeros that a number would lose. */
function withDigits(size: string, verb: FloatVerb, precision: number): string {
  const isHex = verb === 'x' || verb === 'X';
  const cut = size.search(isHex ? /p/i : /e/i);
  const head = cut < 0 ? size : size.slice(0, cut);
  const tail = cut < 0 ? '' : size.slice(cut);
  let missing = verb === 'g' || verb === 'G' || verb === 'x' ? (precision === SHORTEST ? 6 : precision) : 0;
  const significant = head.replace('.', '').replace(/^0+/, '');
  missing -= significant.length;
  const hasPoint = head.includes('.');
  if (!hasPoint && head === '0') missing -= 1;
  return head + (hasPoint ? '' : '.') + '0'.repeat(Math.max(missing, 0)) + tail;
}
