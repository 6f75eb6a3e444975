import { isError } from './error-text.ts';
import type { JobCase } from './job-case.ts';

/**
 * Whether this generation of the spec has become true already: then there is nothing to judge or to compare, also not
 * by a version of Cutover that would judge or compare otherwise.
 */
export function isRealised({ resource, recorded, status }: JobCase): boolean {
  const wanted = resource.spec.job?.state ?? 'running';
  const { observedGeneration, transition, error, reconciliationStatus } = status;
  const settled = reconciliationStatus?.state === 'DEPLOYED' || reconciliationStatus?.state === 'ROLLED_BACK';
  return (
    recorded !== undefined &&
    // The Java operator records a job that somebody cancelled as suspended, whatever the spec says.
    (recorded.spec.job.state ?? 'running') === wanted &&
    settled &&
    !transition &&
    observedGeneration === resource.metadata.generation &&
    !isError(resource.status?.error, 'validation') &&
    !isError(error, 'validation')
  );
}
