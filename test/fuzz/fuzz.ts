import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

/** How a property is run: so many cases in `npm test`, `FUZZ_RUNS` times as many when somebody has time. */
export function cases(short: number): { readonly numRuns: number } {
  const times = Number(process.env.FUZZ_RUNS ?? 1);
  return { numRuns: Math.max(1, Math.round(short * (times > 0 ? times : 1))) };
}

type ErrorType = abstract new (...args: never[]) => Error;

/** What a parser said: its value, or its one error. */
export type Answer<T> = { readonly value: T } | { readonly error: Error };

/** So much longer than the input a message may be: it quotes what was written, and says a sentence or three about it. */
const sentences = 2000;

/**
 * Lets a parser answer. Whatever it throws must be its own error, with a message that is no longer than the input and some
 * sentences: an error that multiplies what it complains about is a way to fill logs.
 */
export function answer<T>(parse: () => T, expected: ErrorType, length = 0): Answer<T> {
  try {
    return { value: parse() };
  } catch (error) {
    return { error: refusal(error, expected, length) };
  } finally {
    expectNoPollution();
  }
}

/** As `answer`, for a parser that takes its time. */
export async function answerOf<T>(parse: () => Promise<T>, expected: ErrorType, length = 0): Promise<Answer<T>> {
  try {
    return { value: await parse() };
  } catch (error) {
    return { error: refusal(error, expected, length) };
  } finally {
    expectNoPollution();
  }
}

function refusal(error: unknown, expected: ErrorType, length: number): Error {
  if (!(error instanceof expected)) throw error;
  expect(error.message).not.toBe('');
  expect(error.message.length).toBeLessThanOrEqual(length + sentences);
  return error;
}

const prototypes = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  Map.prototype,
  String.prototype,
  Date.prototype,
];
const keysAtFirst = prototypes.map((prototype) => Reflect.ownKeys(prototype).length);

/** What a hostile text may have written where every object sees it. */
export function expectNoPollution(): void {
  expect(prototypes.map((prototype) => Reflect.ownKeys(prototype).length)).toEqual(keysAtFirst);
}

/** Far beyond what any of the long inputs takes, and far from for ever. */
const patience = 30_000;

/**
 * Interrupts what does not end: a regular expression that explodes cannot be counted, only stopped. Nothing here says how
 * fast something is.
 */
export function ending<T>(run: () => T): T {
  const outcome: { value?: T; error?: unknown; failed?: boolean } = {};
  const guarded = (): void => {
    try {
      outcome.value = run();
    } catch (error) {
      outcome.error = error;
      outcome.failed = true;
    }
  };
  runInNewContext('guarded()', { guarded }, { timeout: patience });
  if (outcome.failed) throw outcome.error;
  return outcome.value as T;
}
