import type { Clock } from '../../clock/clock.ts';
import { timestamp } from '../../control/conditions.ts';
import { legible } from '../../control/legible.ts';
import type { Hook, Verdict } from '../../control/webhooks/admission.ts';
import type { AdmissionRequest } from '../../control/webhooks/admission-review.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { Family, FamilyProblem, Surroundings } from '../../portrait/family.ts';
import type { Furnishing } from '../decide/furnished.ts';
import { cfApp } from '../resources/cf-app.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { defaultsOf } from './defaults-of.ts';
import { fixedFields } from './fixed-fields.ts';
import { furnishingOf } from './furnishing-of.ts';
import { type Known, nameTaken } from './name-taken.ts';
import { revisionsKept } from './revisions-kept.ts';

export interface CloudFoundryHooksOptions {
  readonly family: Family;
  readonly settings: Pick<CloudFoundrySettings, 'version' | 'process'>;
  readonly clock: Pick<Clock, 'now'>;
  /** What the caches show; nothing before there are any. */
  readonly known: Known;
}

/** What a refusal lists at most; the rest is counted. */
const most = 10;

/** What the admission server answers for the kinds of Cloud Foundry, by path. */
export function cloudFoundryHooks(options: CloudFoundryHooksOptions): Readonly<Record<string, Hook>> {
  return { '/cloudfoundry/mutate': completing(options), '/cloudfoundry/validate': refusing(options) };
}

/**
 * Gives what is written all that belongs on it. What has not the shape of its kind is left for the server to refuse, save
 * that nothing is forgotten and no stop is missed.
 */
function completing({ family, settings, clock }: CloudFoundryHooksOptions): Hook {
  return {
    mutate(request) {
      const { object, oldObject } = request;
      if (!isWritten(request, object)) return { allowed: true, object };
      const { metadata } = object;
      const kept = oldObject ? revisionsKept(oldObject, object) : metadata.annotations;
      const whole = family.validate(object, blind).length === 0;
      const furnishing = whole ? furnishingOf(dated(object, clock), settings.version) : undefined;
      if (!furnishing) return { allowed: true, object: kept ? withMetadata(object, { annotations: kept }) : object };
      const completed = withMetadata(object, {
        labels: { ...metadata.labels, ...defined(furnishing.labels) },
        annotations: { ...defined(furnishing.annotations), ...kept },
        ...(!oldObject && finalizersWith(metadata.finalizers ?? [], furnishing.finalizer)),
      });
      return { allowed: true, object: { ...completed, spec: defaultsOf(object, settings) } };
    },
  };
}

/** Refuses what cannot be, when it is written and nowhere else. What is being deleted, and every subresource, passes. */
function refusing({ family, known }: CloudFoundryHooksOptions): Hook {
  const problemsOf = (object: AnyObject): readonly FamilyProblem[] => [
    ...family.validate(object, blind),
    ...nameTaken(object, known),
  ];
  return {
    validate(request) {
      const { object, oldObject } = request;
      if (!object || !isWritten(request, object)) return { allowed: true };
      const problems = problemsOf(object);
      const before = new Set(oldObject && problems.length > 0 ? problemsOf(oldObject).map(identity) : []);
      const brought = problems.filter((problem) => !before.has(identity(problem)));
      const changed = oldObject ? fixedFields(oldObject, object) : [];
      return verdict([...brought, ...changed]);
    },
  };
}

/** Nothing of this family is judged by what stands beside it, except by its name. */
const blind: Surroundings = { find: () => 'unknown' };

/** A person or a program writes a spec of ours: neither a status nor the end of an object. */
function isWritten({ operation, subResource, kind }: AdmissionRequest, { metadata }: AnyObject): boolean {
  return (
    kind.group === cfApp.type.group &&
    (operation === 'CREATE' || operation === 'UPDATE') &&
    !subResource &&
    metadata.deletionTimestamp === undefined
  );
}

/** A new object has no time yet when it is asked about. */
function dated(object: AnyObject, clock: Pick<Clock, 'now'>): AnyObject {
  const { metadata } = object;
  return { ...object, metadata: { creationTimestamp: timestamp(clock.now()), ...metadata } };
}

function withMetadata(object: AnyObject, metadata: KubeObject['metadata']): AnyObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

/**
 * For new objects only. Whoever takes a finalizer off means it, such as `cutover uninstall`: replicas that stand by answer here to the
 * last, and no later edit may put it back. An operator that acts gives it to what lacks it.
 */
function finalizersWith(
  finalizers: readonly string[],
  finalizer: string | undefined,
): { readonly finalizers?: readonly string[] } {
  if (finalizer === undefined || finalizers.includes(finalizer)) return {};
  return { finalizers: [...finalizers, finalizer] };
}

function defined(values: Furnishing['labels'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function identity({ field, rule, message }: FamilyProblem): string {
  return JSON.stringify([field, rule, message]);
}

function verdict(problems: readonly FamilyProblem[]): Verdict {
  if (problems.length === 0) return { allowed: true };
  const further = problems.length > most ? [`and ${problems.length - most} further problems`] : [];
  const lines = [...problems.slice(0, most).map(({ message }) => message), ...further];
  return { allowed: false, code: 422, message: lines.map(legible).join('\n') };
}
