import type { Clock, Instant } from '../../../clock/clock.ts';
import type { Random } from '../../../clock/random.ts';
import type { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import { Backoff } from '../../../kube/reflector/backoff.ts';
import type { Certificate } from '../../certificates/certificate-files.ts';
import type { Log } from '../../log.ts';
import { alarm } from './alarm.ts';
import { carrying, type WebhookConfiguration } from './carrier.ts';
import { type Carrying, type CertificatesDecision, decideCertificates, faultOf, type Renewal } from './decide.ts';
import type { Lifetimes } from './lifetimes.ts';
import { configurationTypes, type Look, looker, type Place, secretOf } from './look.ts';
import { hostsOf, renewedSecret } from './renewed-secret.ts';
import { type CertificateSecret, servedIn } from './secret.ts';
import { watchNamed } from './watch-named.ts';

export interface KeepOptions extends Omit<Place, 'host'> {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly lifetimes: Lifetimes;
  /** Serve what is there and write nothing. */
  readonly observeOnly: boolean;
  readonly signal: AbortSignal;
  /** Serve this from now on; new connections only. Throws when it cannot be served. */
  readonly serve: (certificate: Certificate) => void;
  /** When what is served, and the authority that signs, end: told after every look. */
  readonly onEnds: (ends: { readonly certificate?: Instant; readonly authority?: Instant }) => void;
}

/** Whatever goes wrong between replicas whose clocks disagree, goes wrong slowly. */
const betweenRenewalsMs = 30_000;
const longestNapMs = 24 * 3600 * 1000;
const timeoutMs = 10_000;

/**
 * Keeps the certificates of the webhooks until the signal aborts: serves what is in the Secret, renews it in time, and keeps the
 * configurations trusting it. Never rejects; what goes wrong is said in the log and tried again.
 *
 * Every replica does all of it, leader or not: a replica that only follows would serve nothing when nobody leads. Versions decide
 * between two who write at once, and the slower one looks again.
 */
export async function keepCertificates(options: KeepOptions): Promise<void> {
  const { client, clock, random, log, namespace, service, configuration, signal } = options;
  const hosts = hostsOf(service, namespace);
  const place: Place = { namespace, service, configuration, host: hosts[0] };
  const look = looker(client, clock, place);
  const bell = alarm(clock, signal);
  const backoff = new Backoff(clock, random);
  const trouble = troubles(log);
  let served: (Certificate & { readonly until: Instant }) | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;

  const onChange = bell.ring;
  const watched = { client, clock, random, signal, onChange };
  const watches = [
    watchNamed({ ...watched, type: kinds.secrets, ...secretOf(place) }),
    ...Object.values(configurationTypes).map((type) => watchNamed({ ...watched, type, name: configuration })),
  ];

  while (!signal.aborted) {
    try {
      const seen = await look(signal);
      serveFrom(seen);
      for (const error of seen.troubles) trouble.say(error, 'a webhook configuration cannot be read');
      const decision = decideCertificates(seen.view, options.lifetimes);
      if (await actOn(decision, seen)) continue;
      if (seen.troubles.length === 0) trouble.over();
      await bell.nap(napOf(decision, seen));
    } catch (error) {
      if (signal.aborted) break;
      // Another replica was faster: what it wrote is looked at next.
      if (!isKubeError(error, 'conflict', 'exists'))
        trouble.say(error, 'the certificates of the webhooks cannot be kept; the webhooks go on with those they have');
      await bell.nap(backoff.next(isKubeError(error) ? error.retryAfterMs : 0));
    }
  }
  await Promise.all(watches);

  function serveFrom({ view, secret }: Look): void {
    const { leaf, signer } = view.kept;
    const found = servedIn(secret);
    const isNew = found !== undefined && found.cert !== served?.cert;
    // What nobody can trust is worth less than what is served already.
    if (isNew && leaf && (!served || faultOf(view.kept, view.now) === undefined)) {
      try {
        options.serve(found);
        log.info({ until: time(leaf.until) }, `the webhooks show a ${served ? 'renewed ' : ''}certificate`);
        served = { ...found, until: leaf.until };
      } catch (error) {
        trouble.say(error, 'the certificate of the webhooks cannot be served; the one before it stays');
      }
    }
    options.onEnds({ ...(served && { certificate: served.until }), ...(signer && { authority: signer.until }) });
  }

  /** Whether anything was written, so that it is time to look again. What fails keeps nothing else from being done. */
  async function actOn({ actions }: CertificatesDecision, seen: Look): Promise<boolean> {
    const due = options.observeOnly ? [] : actions.filter((action) => action.do === 'carry' || restMs() <= 0);
    const failures: unknown[] = [];
    for (const action of due) {
      const done = action.do === 'carry' ? carry(action, seen.configurations) : renew(action, seen.secret);
      await done.catch((error: unknown) => failures.push(error));
    }
    const worst = failures.find((error) => !isKubeError(error, 'conflict', 'exists')) ?? failures[0];
    if (worst !== undefined) throw worst;
    return due.length > 0;
  }

  async function carry({ kind, bundle }: Carrying, among: Look['configurations']): Promise<void> {
    const object = among.get(kind);
    if (!object) return;
    const changed = carrying(object, place, bundle);
    await client.resource<WebhookConfiguration>(configurationTypes[kind]).update(changed, { signal, timeoutMs });
    log.info({ configuration, kind }, 'the webhook configuration trusts the certificates of this Service');
  }

  async function renew(renewal: Renewal, secret: CertificateSecret | undefined): Promise<void> {
    renewedAt = clock.monotonic();
    const renewed = await renewedSecret(secret, renewal, { secret: secretOf(place), hosts });
    const secrets = client.resource<CertificateSecret>(kinds.secrets);
    await (secret ? secrets.update(renewed, { signal, timeoutMs }) : secrets.create(renewed, { signal, timeoutMs }));
    const { authority, leaf, why } = renewal;
    log.info(
      { authority: time(authority?.until), certificate: time(leaf?.until), why },
      'the certificates of the webhooks were renewed',
    );
  }

  function restMs(): number {
    return renewedAt + betweenRenewalsMs - clock.monotonic();
  }

  function napOf({ actions, wakeAt, wakeInMs }: CertificatesDecision, { view, troubles }: Look): number {
    const waits = [
      longestNapMs,
      ...(wakeAt === undefined ? [] : [wakeAt - view.now]),
      ...(wakeInMs === undefined ? [] : [wakeInMs]),
      ...(actions.length > 0 && !options.observeOnly ? [restMs()] : []),
      ...(troubles.length > 0 ? [backoff.next()] : []),
    ];
    return Math.max(0, Math.min(...waits));
  }
}

/** Says what is wrong when it becomes so, and not at every try. */
function troubles(log: Log): { say(error: unknown, message: string): void; over(): void } {
  const said = new Set<string>();
  return {
    say(error, message) {
      const text = `${message}: ${(error as Error).message}`;
      if (!said.has(text)) log.warn({ error }, message);
      said.add(text);
    },
    over: () => said.clear(),
  };
}

const time = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : new Date(at).toISOString();
