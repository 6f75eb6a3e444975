import { quote } from '../template/format/quote.ts';

const truths = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const untruths = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** What Go's `strconv.ParseBool` makes of a text; `undefined` when it makes nothing of it. */
export function parseBool(text: string): boolean | undefined {
  if (truths.has(text)) return true;
  return untruths.has(text) ? false : undefined;
}

/** Why a text is no boolean, in Go's words. */
export function booleanProblem(text: string): string | undefined {
  return parseBool(text) === undefined ? `strconv.ParseBool: parsing ${quote(text)}: invalid syntax` : undefined;
}
