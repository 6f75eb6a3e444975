import { parseDocument } from 'yaml';
import { Refusal } from '../http/refusal.ts';

const longest = 256 * 1024;
/** Deeper than any specification; nothing that walks it runs out of stack. */
const deepest = 64;
/** An alias that stands for aliases that stand for aliases would grow without end. */
const mostAliases = 32;

/** A merge patch as people write it: YAML, or JSON, which is YAML too. @throws Refusal 422 */
export function patchIn(text: string): Readonly<Record<string, unknown>> {
  if (text.length > longest) throw new Refusal(422, `A patch may have at most ${longest} characters.`);
  if (nesting(text) > deepest) throw tooDeep();
  const document = parseDocument(text, { merge: false, uniqueKeys: true, stringKeys: true, logLevel: 'silent' });
  const [problem] = document.errors;
  if (problem) throw new Refusal(422, `The patch cannot be read: ${problem.message.split('\n', 1)[0]}`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: mostAliases });
  } catch (error) {
    throw new Refusal(422, `The patch cannot be read: ${(error as Error).message.split('\n', 1)[0]}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(422, 'The patch must be a mapping of fields, such as `spec: { job: { parallelism: 4 } }`.');
  }
  if (depth(value) > deepest) throw tooDeep();
  return value as Readonly<Record<string, unknown>>;
}

/** How deep brackets go, and no less deep than indentation can: what would overflow the parser does not reach it. */
function nesting(text: string): number {
  let open = 0;
  let most = 0;
  for (const character of text) {
    if (character === '{' || character === '[') most = Math.max(most, ++open);
    else if (character === '}' || character === ']') open = Math.max(0, open - 1);
  }
  for (const line of text.split('\n')) {
    const dashes = /^(?:[ ]*[-?][ ]+)*/.exec(line)?.[0].replaceAll(' ', '').length ?? 0;
    most = Math.max(most, dashes);
  }
  return most;
}

function depth(value: unknown): number {
  let level: unknown[] = [value];
  for (let at = 0; ; at++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0 || at > deepest) return at;
  }
}

function tooDeep(): Refusal {
  return new Refusal(422, `A patch may be nested at most ${deepest} deep.`);
}
