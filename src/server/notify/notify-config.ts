import { parseDocument } from 'yaml';
import { z } from 'zod';
import { type EventClass, eventClassNames } from './event-class.ts';

/** Who wants to hear of what. */
export interface WebhookTarget {
  readonly url: string;
  readonly events: readonly EventClass[];
  /** Only these; all when absent. */
  readonly namespaces?: readonly string[] | undefined;
  /** A file with a header on each line, `Authorization: Bearer …`, read anew for every try. */
  readonly headersFrom?: string | undefined;
}

/** The configuration cannot be used; the message says where and why. */
export class NotifyConfigError extends Error {
  override readonly name = 'NotifyConfigError';
}

const shape = z.strictObject({
  webhooks: z
    .array(
      z.strictObject({
        url: z
          .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
          // Nobody would send to it: who one is belongs into a header.
          .refine(
            (url) => !/^\w+:\/\/[^/?#]*@/.test(url),
            'must hold no password: write an Authorization header into headersFrom',
          ),
        events: z.array(z.enum(eventClassNames)).min(1, `name at least one of ${eventClassNames.join(', ')}`),
        namespaces: z.array(z.string().min(1)).optional(),
        headersFrom: z.string().min(1).optional(),
      }),
    )
    .max(100),
});

/** Reads the text of a configuration file. @throws NotifyConfigError; it never quotes an address, which may be a secret */
export function parseNotifyConfig(text: string): readonly WebhookTarget[] {
  const document = parseDocument(text, { logLevel: 'silent' });
  const [broken] = document.errors;
  if (broken)
    throw new NotifyConfigError(`notifications: not YAML: ${broken.code}, line ${broken.linePos?.[0].line ?? 1}`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new NotifyConfigError('notifications: too many aliases');
  }
  const parsed = checked(value);
  if (parsed.success) return parsed.data.webhooks;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'the file';
  throw new NotifyConfigError(
    `notifications: ${where}: ${issue && spoken(issue)}; it must be webhooks: [{ url, events: [${eventClassNames.join(', ')}] }]`,
  );
}

/** A line without its `url:` makes a key of an address. */
function spoken(issue: z.core.$ZodIssue): string {
  const named = issue.code !== 'unrecognized_keys' || issue.keys.every((key) => /^\w{1,40}$/.test(key));
  return named ? issue.message : 'Unrecognized key';
}

/** Zod measures whatever has a `length`, and throws where that is an object that is no number. */
function checked(value: unknown): ReturnType<typeof shape.safeParse> {
  try {
    return shape.safeParse(value);
  } catch {
    throw new NotifyConfigError('notifications: a text or list in it is something else');
  }
}

/** The headers in a file: one on each line, `Name: value`. Lines that are none are left out. */
export function headersIn(text: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of text.slice(0, 64 * 1024).split('\n')) {
    const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? [];
    if (name !== undefined && /^[\x20-\x7e]*$/.test(value.trim())) headers[name.toLowerCase()] = value.trim();
  }
  return headers;
}
