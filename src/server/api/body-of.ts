import type { z } from 'zod';
import type { Asked } from '../http/asked.ts';
import { Refusal } from '../http/refusal.ts';

/** The body of a request, if it is as it should be. @throws Refusal 400, 413, 415 */
export async function bodyOf<T>(asked: Asked, shape: z.ZodType<T>): Promise<T> {
  // A form of another site cannot send this type.
  if (!/^application\/json\b/i.test(asked.header('content-type') ?? '')) {
    throw new Refusal(415, 'The body must be application/json.');
  }
  const text = await asked.body();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
  const parsed = checked(value, shape);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal(400, `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'not as it should be'}`);
}

/** Zod measures whatever has a `length`, and throws where that is an object that is no number. */
function checked<T>(value: unknown, shape: z.ZodType<T>): z.ZodSafeParseResult<T> {
  try {
    return shape.safeParse(value);
  } catch {
    throw new Refusal(400, 'the body: not as it should be');
  }
}
