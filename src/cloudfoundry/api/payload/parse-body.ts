import * as z from 'zod';
import { unparsable, unprocessable } from '../cf-error.ts';
import type { CfContext } from '../platform.ts';

/** A field that the published API has and this platform does without: it may be there. */
export const ignored = z.unknown().optional();

/** `{ data: { guid } }` */
export const relationship = z.object({ data: z.object({ guid: z.string().min(1) }) });

/** `metadata` of a request that creates: labels and annotations. */
export const newMetadata = z
  .strictObject({
    labels: z.record(z.string(), z.string()).optional(),
    annotations: z.record(z.string(), z.string()).optional(),
  })
  .optional();

/** `metadata` of a request that changes: `null` takes a key away. */
export const changedMetadata = z
  .strictObject({
    labels: z.record(z.string(), z.string().nullable()).optional(),
    annotations: z.record(z.string(), z.string().nullable()).optional(),
  })
  .optional();

/** The decoded JSON body. @throws CfError 400 1001 */
export async function jsonBody(c: CfContext): Promise<unknown> {
  const text = await c.req.text();
  try {
    return JSON.parse(text);
  } catch {
    throw unparsable();
  }
}

/** The body of a request, checked. @throws CfError 400 when it is no JSON, 422 that names the fields */
export async function parseBody<T>(c: CfContext, schema: z.ZodType<T>): Promise<T> {
  return parsePayload(await jsonBody(c), schema);
}

/** As `parseBody`, of a value that has been decoded. */
export function parsePayload<T>(body: unknown, schema: z.ZodType<T>): T {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw unparsable();
  const parsed = checked(body, schema);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys');
  if (unknown?.code === 'unrecognized_keys') {
    throw unprocessable(`invalid request body: json: unknown field "${unknown.keys[0]}"`);
  }
  const complaints = [...new Set(issues.map(spoken))];
  const more = complaints.length - mostComplaints;
  throw unprocessable([...complaints.slice(0, mostComplaints), ...(more > 0 ? [`and ${more} more`] : [])].join(', '));
}

/** A body that is wrong in every field must not be answered by more than it said. */
const mostComplaints = 20;

/** Zod measures whatever has a `length`, and throws where that is an object that is no number. */
function checked<T>(body: object, schema: z.ZodType<T>): z.ZodSafeParseResult<T> {
  try {
    return schema.safeParse(body, { reportInput: true });
  } catch {
    throw unparsable();
  }
}

/** An issue in the API's words. A schema's own message is taken as it is when it begins with a backtick-free sentence. */
function spoken(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) {
        return issue.expected === 'string' ? `${path} cannot be blank` : `${path} is required`;
      }
      return `${capitalised(path)} must be ${article(issue.expected)}`;
    case 'invalid_value':
      if (issue.input === undefined) return `${path} cannot be blank`;
      return `${path} value must be one of: ${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string') return `${path} cannot be blank`;
      return `${path} must be ${issue.minimum} or greater`;
    case 'too_big':
      if (issue.origin === 'string') return `${path} is too long (maximum is ${issue.maximum} characters)`;
      return `${path} must be ${issue.maximum} or less`;
    case 'custom':
      return issue.message;
    default:
      return `${path}: ${issue.message}`;
  }
}

function article(type: string): string {
  // Every number of the API is a whole one.
  if (type === 'int' || type === 'number') return 'a int32';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** `relationships.space` → `Relationships.Space`: fields as the published errors spell them. */
function capitalised(path: string): string {
  return path
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('.');
}
