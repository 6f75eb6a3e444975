import type { AnyObject } from '../../kube/object.ts';
import { jsonPatch } from '../apply/json-patch.ts';
import type { Cluster } from '../auth/cluster.ts';
import type { Attempt } from '../gate.ts';
import { matches } from '../kinds/label-selector.ts';
import type { ServedResource } from '../resource.ts';
import { equal } from '../schema/equal.ts';
import { badRequest, forbidden, internalError, StatusError } from '../status-error.ts';
import type { ReviewResponse } from './admission-review.ts';
import { callWebhook, type WebhookCaller } from './call-webhook.ts';
import { evaluateConditions } from './match-conditions.ts';
import { matchesRule } from './matches-rule.ts';
import { type Webhook, webhooksOf } from './webhook.ts';
import { WebhookFailure } from './webhook-failure.ts';

export interface WebhookOptions extends WebhookCaller {
  readonly cluster: Cluster;
  /** The resource in every version in which it is served, for webhooks that asked for another one. */
  versions?(group: string, plural: string): readonly ServedResource[];
}

/** Calls mutating webhooks one after the other, each on what the one before it left; then again whoever asked for it. */
export async function mutateByWebhooks(options: WebhookOptions, attempt: Attempt) {
  const warnings: string[] = [];
  const called: { readonly webhook: Webhook; left: AnyObject | undefined }[] = [];
  let object = attempt.object;

  const call = async (webhook: Webhook): Promise<boolean> => {
    const now: Attempt = { ...attempt, object };
    const seen = seenBy(options, webhook, now);
    if (!seen) return false;
    const response = await ask(options, webhook, seen, now, true);
    if (!response) return false;
    warnings.push(...(response.warnings ?? []));
    if (response.patch && seen.object) {
      const patched = applyPatch(webhook, seen.object, response.patch);
      object = { ...patched, apiVersion: now.object?.apiVersion ?? patched.apiVersion };
    }
    return true;
  };

  for (const webhook of relevant(options.cluster, attempt, 'mutating')) {
    if (await call(webhook)) called.push({ webhook, left: object });
  }
  for (const { webhook, left } of called) {
    if (webhook.reinvocationPolicy === 'IfNeeded' && !equal(left, object)) await call(webhook);
  }
  return { object, warnings };
}

/** Calls validating webhooks all at once. The first that refuses, in their order, is the one that is told. */
export async function validateByWebhooks(options: WebhookOptions, attempt: Attempt): Promise<readonly string[]> {
  const answers = relevant(options.cluster, attempt, 'validating').map(async (webhook) => {
    const seen = seenBy(options, webhook, attempt);
    const response = seen && (await ask(options, webhook, seen, attempt, false));
    return response?.warnings ?? [];
  });
  const settled = await Promise.allSettled(answers);
  const warnings: string[] = [];
  for (const answer of settled) {
    if (answer.status === 'rejected') throw answer.reason;
    warnings.push(...answer.value);
  }
  return warnings;
}

/** No webhook may stand in the way of those who repair webhooks. */
function relevant(cluster: Cluster, { resource }: Attempt, sort: 'mutating' | 'validating'): readonly Webhook[] {
  if (resource.group === 'admissionregistration.k8s.io') return [];
  return webhooksOf(cluster, sort);
}

/**
 * The attempt as the webhook gets to see it, in the version it asked for; `undefined` when it does not want to.
 * @throws StatusError when that cannot be told
 */
function seenBy(options: WebhookOptions, webhook: Webhook, attempt: Attempt): Attempt | undefined {
  const resource = matchingVersion(options, webhook, attempt);
  if (!resource || !selects(options.cluster, webhook, attempt)) return undefined;
  const seen = resource === attempt.resource ? attempt : inVersion(attempt, resource);
  const verdict = evaluateConditions(webhook, seen);
  if ('holds' in verdict) return verdict.holds ? seen : undefined;
  if (webhook.failurePolicy === 'Ignore') return undefined;
  const { group, plural } = attempt.resource;
  throw forbidden({ group, plural, name: attempt.name }, verdict.error);
}

function matchingVersion(options: WebhookOptions, webhook: Webhook, attempt: Attempt): ServedResource | undefined {
  const covers = (resource: ServedResource): boolean =>
    (webhook.rules ?? []).some((rule) => matchesRule(rule, { ...attempt, resource }));
  if (covers(attempt.resource)) return attempt.resource;
  if (webhook.matchPolicy === 'Exact' || !attempt.resource.custom) return undefined;
  const { group, plural } = attempt.resource;
  return options.versions?.(group, plural).find(covers);
}

/** Versions of a custom resource differ in name only. */
function inVersion(attempt: Attempt, resource: ServedResource): Attempt {
  const apiVersion = `${resource.group}/${resource.version}`;
  const convert = (object: AnyObject | undefined): AnyObject | undefined =>
    object && object.kind === attempt.resource.kind ? { ...object, apiVersion } : object;
  return { ...attempt, resource, object: convert(attempt.object), oldObject: convert(attempt.oldObject) };
}

function selects(cluster: Cluster, webhook: Webhook, attempt: Attempt): boolean {
  const { namespaceSelector, objectSelector } = webhook;
  const { object, oldObject } = attempt;
  const byObject =
    !objectSelector || [object, oldObject].some((each) => each && matches(objectSelector, each.metadata?.labels));
  if (!byObject || !namespaceSelector) return byObject;
  const { group, plural } = attempt.resource;
  if (group === '' && plural === 'namespaces') {
    return matches(namespaceSelector, (object ?? oldObject)?.metadata.labels);
  }
  if (!attempt.namespace) return true;
  return matches(namespaceSelector, cluster.read('', 'namespaces', undefined, attempt.namespace)?.metadata.labels);
}

/** The webhook's answer; `undefined` when it failed and its policy is to ignore that. @throws StatusError */
async function ask(
  options: WebhookOptions,
  webhook: Webhook,
  seen: Attempt,
  requested: Attempt,
  mutating: boolean,
): Promise<ReviewResponse | undefined> {
  if (seen.dryRun && webhook.sideEffects !== 'None' && webhook.sideEffects !== 'NoneOnDryRun') {
    throw badRequest(`admission webhook ${JSON.stringify(webhook.name)} does not support dry run`);
  }
  try {
    const response = await callWebhook(options, webhook, seen, requested, mutating);
    if (!response.allowed) throw denied(webhook.name, response.status);
    return response;
  } catch (error) {
    if (!(error instanceof WebhookFailure)) throw error;
    if (webhook.failurePolicy === 'Ignore') return undefined;
    throw internalError(error.message);
  }
}

/** The refusal with the webhook's own status, message and code, as far as it gave them. */
function denied(webhook: string, status: ReviewResponse['status'] = {}): StatusError {
  const given = typeof status.code === 'number' ? status.code : 0;
  const code = given >= 400 && given < 600 ? given : 400;
  const reason = typeof status.reason === 'string' ? status.reason : '';
  const message = typeof status.message === 'string' ? status.message : '';
  const why = message || reason;
  const text = `admission webhook ${JSON.stringify(webhook)} denied the request${why ? `: ${why}` : ' without explanation'}`;
  const details = status.details as ConstructorParameters<typeof StatusError>[3];
  return new StatusError(code, reason, text, details);
}

/** @throws WebhookFailure when the patch is none; StatusError 500 when it does not apply */
function applyPatch(webhook: Webhook, object: AnyObject, encoded: string): AnyObject {
  let operations: unknown;
  try {
    operations = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  } catch {
    operations = undefined;
  }
  if (!Array.isArray(operations)) {
    const failure = new WebhookFailure(webhook.name, 'received undecodable patch in webhook response');
    if (webhook.failurePolicy === 'Ignore') return object;
    throw internalError(failure.message);
  }
  let patched = object;
  for (const operation of operations as readonly { readonly op?: unknown; readonly path?: unknown }[]) {
    try {
      patched = jsonPatch(patched, [operation]) as AnyObject;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const { op, path } = operation ?? {};
      throw internalError(
        op === 'test'
          ? `testing value ${path} failed: test failed`
          : `${op} operation does not apply: doc is missing path: "${path}": missing value`,
      );
    }
  }
  return patched;
}
