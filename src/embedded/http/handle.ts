import { admitted } from './admitted.ts';
import { type Answer, statusAnswer } from './answer.ts';
import { checkLength } from './body.ts';
import { pageNotFound } from './not-there.ts';
import { serveResource } from './serve-resource.ts';
import type { Arrival, Serving, Visit } from './serving.ts';
import { statusOf } from './status-of.ts';
import { targetOf } from './target.ts';
import { splitPath } from './visit.ts';

/**
 * Answers one request, from a socket or from a caller in the same process.
 *
 * Guarantees: it never rejects; whatever goes wrong is a `Status` in the answer. A request that is refused changed
 * nothing.
 */
export async function handle(serving: Serving, arrival: Arrival): Promise<Answer> {
  const warnings: string[] = [];
  let answer: Answer;
  try {
    answer = await respond(serving, arrival, warnings);
  } catch (error) {
    answer = statusAnswer(statusOf(serving, arrival, error).status);
  }
  if (warnings.length === 0) return answer;
  const headers = [...new Set(warnings)].map((text) => `299 - ${quoted(text)}`);
  return { ...answer, headers: { ...answer.headers, warning: headers } };
}

async function respond(serving: Serving, arrival: Arrival, warnings: string[]): Promise<Answer> {
  const { path, query } = splitPath(arrival.path);
  const target = targetOf(path);
  const user = await admitted(serving, arrival, target, query);
  checkLength(arrival.body?.length ?? 0);
  const visit: Visit = { request: arrival, user, query, warnings };
  if (target.type === 'resource') return serveResource(serving, visit, target);
  return (await serving.about(target.path, arrival.headers?.accept ?? '', query)) ?? pageNotFound;
}

/** A text as a quoted string of a header: printable ASCII and Latin-1 only. */
function quoted(text: string): string {
  const safe = text.replace(/[^\t\x20-\x7e\xa1-\xff]/g, '?');
  return `"${safe.replace(/["\\]/g, '\\$&')}"`;
}
