import type { Hook, Verdict } from '../../control/webhooks/admission.ts';
import type { AdmissionRequest } from '../../control/webhooks/admission-review.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Family, FamilyProblem, Surroundings } from '../../portrait/family.ts';
import { isClusterName } from './name.ts';

/** What a refusal lists at most; the rest is counted. */
const most = 10;

/**
 * Refuses what a family refuses, when it is written and nowhere else.
 *
 * An edit is refused only for problems that it brings: one that leaves an old problem as it is may be a step of a repair, the
 * work of another controller, or the removal of a finalizer. What it leaves is said in warnings, and the controller goes on
 * reporting it. Whatever is being deleted, and every subresource, is let through.
 */
export function refusing(family: Family, surroundings: Surroundings): Hook {
  return {
    validate(request) {
      const { object, oldObject } = request;
      if (!object || !isWritten(request, object)) return { allowed: true };
      const problems = family.validate(object, surroundings);
      const known = new Set(
        oldObject && problems.length > 0 ? family.validate(oldObject, surroundings).map(identity) : [],
      );
      const brought = problems.filter((problem) => !known.has(identity(problem)));
      return brought.length > 0 ? refused(brought) : accepted(problems);
    },
  };
}

/** Labels a session job with its cluster, so that the jobs of a cluster can be listed. */
export const labelSessionJob: Hook = {
  mutate(request) {
    const { object } = request;
    const { deploymentName } = (object.spec ?? {}) as { readonly deploymentName?: unknown };
    const labelled = object.metadata.labels?.['target.session'] === deploymentName;
    if (request.kind.kind !== 'FlinkSessionJob' || !isWritten(request, object) || labelled)
      return { allowed: true, object };
    if (typeof deploymentName !== 'string' || !isClusterName(deploymentName)) return { allowed: true, object };
    const labels = { ...object.metadata.labels, 'target.session': deploymentName };
    return { allowed: true, object: { ...object, metadata: { ...object.metadata, labels } } };
  },
};

/** A person or a program writes a spec: neither a status nor the end of an object. */
function isWritten({ operation, subResource }: AdmissionRequest, { metadata }: AnyObject): boolean {
  return (operation === 'CREATE' || operation === 'UPDATE') && !subResource && metadata.deletionTimestamp === undefined;
}

/** The same problem with another value is another one: that part was touched, and is still wrong. */
function identity({ field, rule, message }: FamilyProblem): string {
  return JSON.stringify([field, rule, message]);
}

function refused(problems: readonly FamilyProblem[]): Verdict {
  const further = problems.length > most ? [`and ${problems.length - most} further problems`] : [];
  const lines = [...problems.slice(0, most).map(({ message }) => message), ...further];
  return { allowed: false, code: 422, message: lines.join('\n') };
}

function accepted(problems: readonly FamilyProblem[]): Verdict {
  const warnings = problems.slice(0, most).map(({ message }) => `not taken up until this is solved: ${message}`);
  return { allowed: true, ...(warnings.length > 0 && { warnings }) };
}
