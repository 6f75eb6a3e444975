import type { Environment } from '@marcbachmann/cel-js';
import { goRegExp } from '../regexp.ts';

/** Kubernetes' functions on strings, regular expressions included. */
export function registerStrings(environment: Environment): void {
  environment.registerFunction('string.charAt(int): string', (text: string, at: bigint) => {
    const characters = [...text];
    if (at < 0n || at > BigInt(characters.length)) throw new Error(`index out of range: ${at}`);
    return characters[Number(at)] ?? '';
  });
  environment.registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.replaceAll(from, () => to),
  );
  environment.registerFunction(
    'string.replace(string, string, int): string',
    (text: string, from: string, to: string, times: bigint) => {
      if (times < 0n) return text.replaceAll(from, () => to);
      let left = Number(times);
      return text.replaceAll(from, (found) => (left-- > 0 ? to : found));
    },
  );
  environment.registerFunction('string.reverse(): string', (text: string) => [...text].reverse().join(''));
  environment.registerFunction('string.find(string): string', (text: string, pattern: string) => {
    return expression(pattern).exec(text)?.[0] ?? '';
  });
  environment.registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
    findAll(text, pattern, -1n),
  );
  environment.registerFunction(
    'string.findAll(string, int): list<string>',
    (text: string, pattern: string, limit: bigint) => findAll(text, pattern, limit),
  );
  environment.registerFunction('string.format(list<dyn>): string', format);
}

function expression(pattern: string): RegExp {
  const compiled = goRegExp(pattern);
  if (compiled instanceof Error) throw new Error(`Illegal regex: ${compiled.message}`);
  return compiled;
}

function findAll(text: string, pattern: string, limit: bigint): string[] {
  const { source, flags } = expression(pattern);
  const all = [...text.matchAll(new RegExp(source, `${flags}g`))].map(([found]) => found);
  return limit < 0n ? all : all.slice(0, Number(limit));
}

/** `"%s has %d".format([…])`: `%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X`, `%o`, with a precision for the two of doubles. */
function format(template: string, values: readonly unknown[]): string {
  let next = 0;
  return template.replace(/%(?:%|(?:\.(\d+))?([a-zA-Z]))/g, (whole, digits: string | undefined, verb: string) => {
    if (whole === '%%') return '%';
    if (next >= values.length) throw new Error(`index ${next} out of range`);
    return formatOne(verb, values[next++], digits === undefined ? 6 : Number(digits));
  });
}

function formatOne(verb: string, value: unknown, digits: number): string {
  const whole = (radix: number): string => {
    if (typeof value !== 'bigint') throw new Error(`only integers can be formatted with %${verb}`);
    return value.toString(radix);
  };
  switch (verb) {
    case 's':
      return show(value);
    case 'd':
      if (typeof value !== 'bigint' && typeof value !== 'number') throw new Error('decimal clause needs a number');
      return String(value);
    case 'f':
      return Number(value).toFixed(digits);
    case 'e':
      return Number(value)
        .toExponential(digits)
        .replace(/e([+-])(\d)$/, 'e$10$2');
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : whole(2);
    case 'o':
      return whole(8);
    case 'x':
      return typeof value === 'string' ? Buffer.from(value).toString('hex') : whole(16);
    case 'X':
      return (typeof value === 'string' ? Buffer.from(value).toString('hex') : whole(16)).toUpperCase();
    default:
      throw new Error(`unrecognized formatting clause "${verb}"`);
  }
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (value instanceof Map) {
    const entries = [...value].map(([key, child]) => `${show(key)}: ${show(child)}`).sort();
    return `{${entries.join(', ')}}`;
  }
  return String(value);
}
