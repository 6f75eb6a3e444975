import { type SpecChange, specChangedMessage } from '../resources/spec-change.ts';
import type { JobCase } from './job-case.ts';
import { told } from './reasons.ts';
import type { Effect } from './step.ts';

/** `SpecChanged`, once per generation. */
export function specChangedEvents(c: JobCase, change: SpecChange): readonly Effect[] {
  return isNews(c) ? [told(c.resource, 'SpecChanged', specChangedMessage(change))] : [];
}

/** Whether this generation of the spec has not been looked at before. Conditions carry the generation they speak of. */
function isNews({ resource }: JobCase): boolean {
  const ready = resource.status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.observedGeneration !== resource.metadata.generation;
}
