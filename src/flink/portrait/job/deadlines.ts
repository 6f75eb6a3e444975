import type { Deadline } from '../../../portrait/portrait.ts';
import { instantOf, instantText } from '../../decide/instant-text.ts';
import type { JobCase } from '../../decide/job-case.ts';
import { rollbackAt } from '../../decide/rollback.ts';
import { shutdownAt } from '../../decide/shutdown.ts';
import type { JobLook } from './job-look.ts';

/** When something happens by itself, the nearest first; `c` is the job as decisions see it. */
export function deadlinesOf({ transition, moment }: JobLook, c: JobCase | undefined): readonly Deadline[] {
  const settled = c && !transition && moment !== 'deleting';
  const clocks: readonly (readonly [string, number | undefined])[] = [
    ['ending the job is tried again', instantOf(transition?.stop.retryAt)],
    ['the specification before is brought back', settled ? rollbackAt(c) : undefined],
    ['the JobManager of the job that has ended is removed', settled ? shutdownAt(c) : undefined],
  ];
  return clocks
    .flatMap(([what, at]) => (at === undefined ? [] : [{ what, at: instantText(at) }]))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
