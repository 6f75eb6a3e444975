import type { Ref } from '../../../control/decision.ts';
import { show } from '../in-the-way.ts';

/** Something of the name that a side needs belongs to somebody else. */
export function nameTakenText(stranger: Ref): string {
  return `${show(stranger)} belongs to somebody else: delete or rename it. Until then nothing is made under that name.`;
}
