import { parseDocument } from 'yaml';
import { Refusal } from '../http/refusal.ts';

const longest = 256 * 1024;
/** Reading YAML takes time by the square of its length, and whoever reads it here holds up everybody else. */
const longestYaml = 8 * 1024;
/** Deeper than any specification; nothing that walks it runs out of stack. */
const deepest = 64;
/** An alias that stands for aliases that stand for aliases would grow without end. */
const mostAliases = 32;

/** A merge patch as people write it: YAML or JSON. @throws Refusal 422 */
export function patchIn(text: string): Readonly<Record<string, unknown>> {
  if (text.length > longest) throw new Refusal(422, `A patch may have at most ${longest} characters.`);
  const value = jsonIn(text) ?? yamlIn(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(422, 'The patch must be a mapping of fields, such as `spec: { job: { parallelism: 4 } }`.');
  }
  if (isDeeper(value, deepest)) throw tooDeep();
  return value as Readonly<Record<string, unknown>>;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function yamlIn(text: string): unknown {
  if (text.length > longestYaml) {
    throw new Refusal(422, `A patch in YAML may have at most ${longestYaml} characters. Write a longer one in JSON.`);
  }
  if (nesting(text) > deepest) throw tooDeep();
  const options = {
    merge: false,
    uniqueKeys: true,
    stringKeys: true,
    // JSON has no bytes, sets or dates: what has such a tag stays the text that was written.
    resolveKnownTags: false,
    logLevel: 'silent',
    prettyErrors: false,
  } as const;
  try {
    const document = parseDocument(text, options);
    const [problem] = document.errors;
    if (problem) throw problem;
    return document.toJS({ maxAliasCount: mostAliases });
  } catch (error) {
    throw new Refusal(422, `The patch cannot be read: ${(error as Error).message.split('\n', 1)[0]}`);
  }
}

/** How deep brackets go, or `- - - x` and `? ? ? x` on one line: what would overflow the parser does not reach it. */
function nesting(text: string): number {
  let open = 0;
  let most = 0;
  for (const character of text) {
    if (character === '{' || character === '[') most = Math.max(most, ++open);
    else if (character === '}' || character === ']') open = Math.max(0, open - 1);
  }
  return /(?:[-?:][ \t]+){16}/.test(text) ? Number.POSITIVE_INFINITY : most;
}

function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let at = 0; level.length > 0; at++) {
    if (at > most) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}

function tooDeep(): Refusal {
  return new Refusal(422, `A patch may be nested at most ${deepest} deep.`);
}
