import type { Attempt } from '../gate.ts';
import { baseEnvironment } from '../schema/cel/environment.ts';
import { requestOf } from './admission-review.ts';
import type { Webhook } from './webhook.ts';

type Compiled = (variables: Record<string, unknown>) => unknown;

const compiled = new Map<string, Compiled>();
const limit = 500;

/** Conditions hold, one of them does not, or one could not be evaluated. */
export type Verdict = { readonly holds: boolean } | { readonly error: string };

/** Evaluates a webhook's CEL conditions. One that is false decides, whatever the others do. */
export function evaluateConditions(webhook: Webhook, attempt: Attempt): Verdict {
  const conditions = webhook.matchConditions ?? [];
  if (conditions.length === 0) return { holds: true };
  const variables = {
    object: celValue(attempt.object ?? null),
    oldObject: celValue(attempt.oldObject ?? null),
    request: celValue(requestOf(attempt, '')),
  };
  let error: string | undefined;
  for (const { expression } of conditions) {
    try {
      if (compile(expression)(variables) !== true) return { holds: false };
    } catch (problem) {
      error ??= `expression '${expression}' resulted in error: ${wordsOf(problem)}`;
    }
  }
  return error === undefined ? { holds: true } : { error };
}

function compile(expression: string): Compiled {
  const known = compiled.get(expression);
  if (known) return known;
  const environment = baseEnvironment();
  for (const name of ['object', 'oldObject', 'request']) environment.registerVariable(name, 'dyn');
  const made = environment.parse(expression) as Compiled;
  if (compiled.size >= limit) compiled.clear();
  compiled.set(expression, made);
  return made;
}

/** JSON for CEL: whole numbers are integers there. */
function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([key, each]) => [key, celValue(each)]));
}

function wordsOf(problem: unknown): string {
  const first = (problem instanceof Error ? problem.message : String(problem)).split('\n')[0] ?? '';
  return first.replace(/^No such key/i, 'no such key');
}
