import { blueGreenSpecCodec } from '../../resources/blue-green-spec.ts';
import { without } from '../status.ts';
import { type Spec, type Status, specIn } from './blue-green-case.ts';

/**
 * The status with the spec that was accepted last. It is kept beside what the sides have for as long as it differs from that,
 * so that an edit that is refused changes nothing, and so that it can be told what the next edit changes.
 */
export function withWanted(status: Status, spec: Spec): Status {
  const wanted = blueGreenSpecCodec.write(spec);
  if (wanted === newest(status)) return status.wanted === undefined ? status : without(status, 'wanted');
  return status.wanted === wanted ? status : { ...status, wanted };
}

/** What holds while the written spec is refused; nothing before any was accepted. */
export function lastAccepted(status: Status): Spec | undefined {
  const { wanted, transition, aborted, lastReconciledSpec } = status;
  for (const text of [wanted, transition?.spec, aborted?.spec, lastReconciledSpec]) {
    const spec = specIn(text);
    if (spec) return spec;
  }
  return undefined;
}

/** The newest spec that a side has, was made for, or was given up with. */
function newest({ transition, aborted, lastReconciledSpec }: Status): string | undefined {
  return transition?.spec ?? aborted?.spec ?? lastReconciledSpec;
}
