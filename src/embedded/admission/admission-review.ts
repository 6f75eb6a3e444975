import type { AnyObject } from '../../kube/object.ts';
import type { Attempt } from '../gate.ts';
import { WebhookFailure } from './webhook-failure.ts';

/** The question that a webhook gets: `request` of an AdmissionReview. */
export function requestOf(attempt: Attempt, uid: string, requested: Attempt = attempt) {
  const { operation, namespace, name, subresource, user, object, oldObject, dryRun, options } = attempt;
  return {
    uid,
    kind: kindOf(attempt),
    resource: resourceOf(attempt),
    ...(subresource && { subResource: subresource }),
    requestKind: kindOf(requested),
    requestResource: resourceOf(requested),
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid && { uid: user.uid }),
      groups: user.groups,
      ...(user.extra && { extra: user.extra }),
    },
    object: object ?? null,
    oldObject: oldObject ?? null,
    dryRun,
    options,
  };
}

const resourceOf = ({ resource: { group, version, plural } }: Attempt) => ({ group, version, resource: plural });

/** A subresource's object has a kind of its own (Scale, Eviction); otherwise it is the resource's. */
function kindOf({ resource, object, oldObject }: Attempt) {
  const { apiVersion, kind = resource.kind } = object ?? oldObject ?? ({} as Partial<AnyObject>);
  if (apiVersion === undefined) return { group: resource.group, version: resource.version, kind };
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { group, version, kind };
}

/** What a webhook may answer. */
export interface ReviewResponse {
  readonly allowed: boolean;
  readonly status?: { readonly [field: string]: unknown };
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/**
 * Reads a webhook's answer.
 * @throws WebhookFailure for anything that is no answer to this question
 */
export function responseIn(text: string, webhook: string, uid: string, mutating: boolean): ReviewResponse {
  const fail = (why: string): never => {
    throw new WebhookFailure(webhook, why);
  };
  let review: { readonly apiVersion?: unknown; readonly kind?: unknown; readonly response?: unknown };
  try {
    review = JSON.parse(text);
  } catch {
    return fail(`failed to call webhook: couldn't get version/kind; json parse error`);
  }
  if (typeof review !== 'object' || review === null) {
    return fail(`failed to call webhook: couldn't get version/kind; json parse error`);
  }
  const invalid = (why: string): never => fail(`received invalid webhook response: ${why}`);
  const response = review.response;
  if (typeof response !== 'object' || response === null) return invalid('webhook response was absent');
  const { uid: answered, patch, patchType, warnings } = response as ReviewResponse & { readonly uid?: unknown };
  if (review.apiVersion !== 'admission.k8s.io/v1' || review.kind !== 'AdmissionReview') {
    const got = `/, Kind=${String(review.kind ?? '')}`;
    return invalid(`expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${got}`);
  }
  if (answered !== uid)
    return invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(answered ?? '')}`);
  if (patch && !mutating) return invalid('validating webhook may not return response.patch');
  if (patchType && !mutating) return invalid('validating webhook may not return response.patchType');
  if (patch && !patchType) return invalid('webhook returned response.patch but not response.patchType');
  if (patchType && !patch) return invalid('webhook returned response.patchType but not response.patch');
  if (patchType && patchType !== 'JSONPatch') {
    return invalid(`invalid value of response.patchType: ${JSON.stringify(patchType)}`);
  }
  const texts = Array.isArray(warnings) ? warnings.map(String) : [];
  return { ...(response as ReviewResponse), warnings: texts };
}
