const truths = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON']);
const untruths = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF']);
const nulls = new Set(['', '~', 'null', 'Null', 'NULL']);

const infinity = /^[+-]?\.(?:inf|Inf|INF)$/;
const notANumber = /^\.(?:nan|NaN|NAN)$/;

const digits = /^([+-]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/;
const float = /^[+-]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][+-]?\d+)?$/;

/**
 * What a scalar without quotes stands for in YAML 1.1, as Go's library reads it: `yes`, `on` and `y` are booleans, `010` is
 * eight, `1_000` a number; `1:30` and timestamps are texts, which they are not for the letter of the standard.
 */
export function resolvePlain(text: string): null | boolean | number | string {
  if (nulls.has(text)) return null;
  if (truths.has(text)) return true;
  if (untruths.has(text)) return false;
  if (infinity.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (notANumber.test(text)) return Number.NaN;
  if (!/^[-+.\d]/.test(text)) return text;
  const plain = text.replaceAll('_', '');
  return integer(plain) ?? decimal(plain) ?? text;
}

/** An integer of at most 64 bits, in any base that Go's literals have; rounded to a float64, as JSON would. */
function integer(text: string): number | undefined {
  const [, sign, magnitude] = digits.exec(text) ?? [];
  if (magnitude === undefined || magnitude.length > 70) return undefined;
  const value = BigInt(/^0[0-7]/.test(magnitude) ? `0o${magnitude.slice(1)}` : magnitude);
  const most = sign === '-' ? 2n ** 63n : sign === '+' ? 2n ** 63n - 1n : 2n ** 64n - 1n;
  if (value > most) return undefined;
  return value === 0n ? 0 : Number(sign === '-' ? -value : value);
}

/** What is too large for a float64 stays a text. */
function decimal(text: string): number | undefined {
  const value = float.test(text) ? Number(text) : undefined;
  return Number.isFinite(value) ? value : undefined;
}
