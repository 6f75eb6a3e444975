import type { Clock } from '../../clock/clock.ts';
import type { Random } from '../../clock/random.ts';
import type { Attempt } from '../gate.ts';
import { type ReviewResponse, requestOf, responseIn } from './admission-review.ts';
import type { Webhook } from './webhook.ts';
import { WebhookFailure } from './webhook-failure.ts';

/** One HTTP POST to a webhook. */
export interface WebhookPost {
  readonly url: string;
  /** Where to connect instead of the host that the URL names. */
  readonly target?: { readonly host: string; readonly port: number };
  /** The authority that the webhook's certificate must be signed by, as PEM; the system's without it. */
  readonly ca?: string;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Sends it. Rejects with an `Error` whose message says why no answer came. */
export type PostWebhook = (post: WebhookPost) => Promise<{ readonly status: number; readonly body: string }>;

export interface WebhookCaller {
  readonly clock: Clock;
  readonly random: Random;
  readonly post: PostWebhook;
  /** Where the endpoints of a Service are reached; `undefined` when there is no such Service. */
  resolveService(
    namespace: string,
    name: string,
    port: number,
  ): Promise<{ readonly host: string; readonly port: number } | undefined>;
}

/**
 * Asks a webhook about an attempt. `requested` is what the client asked for, when the webhook sees it in another version.
 * @throws WebhookFailure
 */
export async function callWebhook(
  caller: WebhookCaller,
  webhook: Webhook,
  attempt: Attempt,
  requested: Attempt,
  mutating: boolean,
): Promise<ReviewResponse> {
  const fail = (why: string): WebhookFailure => new WebhookFailure(webhook.name, `failed to call webhook: ${why}`);
  if (!(webhook.admissionReviewVersions ?? ['v1']).includes('v1')) {
    throw new WebhookFailure(webhook.name, 'webhook does not accept known AdmissionReview versions (v1)');
  }
  const uid = caller.random.uuid();
  const review = {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: requestOf(attempt, uid, requested),
  };
  const seconds = webhook.timeoutSeconds ?? 10;
  const { url, target } = await addressOf(caller, webhook, seconds, fail);

  const abort = new AbortController();
  const cancel = caller.clock.after(seconds * 1000, () => abort.abort());
  const expired = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(fail(`Post "${url}": context deadline exceeded`)));
  });
  const { caBundle } = webhook.clientConfig;
  const answered = caller
    .post({
      url,
      ...(target && { target }),
      ...(caBundle && { ca: Buffer.from(caBundle, 'base64').toString('utf8') }),
      body: JSON.stringify(review),
      signal: abort.signal,
    })
    .catch((error: Error) => {
      throw fail(`Post "${url}": ${error.message}`);
    });
  try {
    const { status, body } = await Promise.race([answered, expired]);
    if (status !== 200) throw fail(refusal(status, body));
    return responseIn(body, webhook.name, uid, mutating);
  } finally {
    cancel();
    // Whichever lost the race may still reject; nobody waits for it any more.
    answered.catch(() => {});
    expired.catch(() => {});
  }
}

/** An HTTP error in the words of Kubernetes' own client. */
function refusal(status: number, body: string): string {
  if (status >= 500)
    return `an error on the server (${JSON.stringify(body.slice(0, 2048))}) has prevented the request from succeeding`;
  if (status === 404) return 'the server could not find the requested resource';
  return 'the server rejected our request for an unknown reason';
}

async function addressOf(caller: WebhookCaller, webhook: Webhook, seconds: number, fail: (why: string) => Error) {
  const { url, service } = webhook.clientConfig;
  if (url !== undefined) {
    const parsed = URL.parse(url);
    if (!parsed) throw fail(`Unparsable webhook URL: ${JSON.stringify(url)}`);
    parsed.searchParams.set('timeout', `${seconds}s`);
    return { url: parsed.href };
  }
  if (!service) throw fail('webhook configuration must have either service or URL');
  const { namespace, name, path = '/', port = 443 } = service;
  const shown = `https://${name}.${namespace}.svc:${port}${path.startsWith('/') ? path : `/${path}`}?timeout=${seconds}s`;
  const target = await caller.resolveService(namespace, name, port);
  if (!target) throw fail(`Post "${shown}": service "${name}" not found`);
  return { url: shown, target };
}
