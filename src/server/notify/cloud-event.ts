import { subjectId } from '../../portrait/subject.ts';
import type { Notice } from './notice.ts';

/** A notice as CloudEvents 1.0 in structured JSON. `at` is when it was noticed. */
export function cloudEvent({ class: name, id, about, data }: Notice, at: number): string {
  const { apiVersion, kind, namespace } = about;
  return JSON.stringify({
    specversion: '1.0',
    id,
    // A URI-reference: names may hold what must be escaped in one, or half of a letter, which cannot be.
    source: `/cutover/${[apiVersion, kind, namespace].map((name) => encodeURIComponent(name.toWellFormed())).join('/')}`,
    type: `dev.cutover.${name}`,
    subject: subjectId(about),
    time: new Date(at).toISOString(),
    datacontenttype: 'application/json',
    data: { about, ...data },
  });
}

export const contentType = 'application/cloudevents+json; charset=utf-8';
