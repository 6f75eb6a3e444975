import { resolve } from 'node:path';
import { certificateEnd } from '../control/certificates/certificate-end.ts';
import type { Metrics } from '../control/metrics.ts';
import type { Mirror } from '../control/mirror.ts';
import type { Hook } from '../control/webhooks/admission.ts';
import type { Family, Surroundings } from '../portrait/family.ts';
import type { Common, Running } from './running.ts';

/** Where webhooks are served, and with which certificates. */
export interface WebhookRun {
  readonly port: number;
  readonly certificates: /** Those of a directory. */
    | { readonly directory: string }
    /** Those that the operator keeps itself, for this Service of its namespace. */
    | { readonly service: string; readonly namespace: string; readonly configuration: string };
  /** Kinds in lower case that are left to others: nothing is said about them. */
  readonly off?: readonly string[];
  /** Write nothing, and let others write what they like: a configuration that was left over must have no effect. */
  readonly observeOnly?: boolean;
}

/** Serves the hooks of all families that run. They look at others in what is mirrored, once it is. */
export async function openWebhooks(
  common: Common,
  { running, families }: { readonly running: readonly Running[]; readonly families: readonly Family[] },
  mirrored: () => Mirror | undefined,
  metrics: Pick<Metrics, 'certificate'>,
  { port, certificates, off = [], observeOnly = false }: WebhookRun,
): Promise<{ close(): Promise<void> }> {
  const { log, clock } = common;
  const [
    { withPlanWarnings },
    { withoutKinds },
    { letThrough },
    { serveAdmissionFromFiles },
    { serveAdmissionOfService },
  ] = await Promise.all([
    import('../server/plan-warning.ts'),
    import('../control/webhooks/without-kinds.ts'),
    import('../control/webhooks/let-through.ts'),
    import('../control/webhooks/admission-from-files.ts'),
    import('../control/webhooks/admission-of-service.ts'),
  ]);
  const surroundings: Surroundings = {
    find: (type, namespace, name) => mirrored()?.peek(type, { namespace, name }) ?? 'unknown',
  };
  const own = await Promise.all(running.map((family) => family.hooks(surroundings)));
  const judging = withPlanWarnings(Object.assign({}, ...own) as Record<string, Hook>, {
    workloads: families.flatMap((family) => family.workloads),
    // Nobody is asked: whoever writes waits for the verdict.
    around: () => ({ ...surroundings, now: clock.now(), list: () => undefined }),
    clock,
    log,
  });
  const hooks = observeOnly ? letThrough(judging, () => true) : withoutKinds(judging, off);
  const end = certificateEnd(metrics, clock, 'webhooks');
  if ('directory' in certificates) {
    const directory = resolve(certificates.directory);
    return serveAdmissionFromFiles({ port, directory, hooks, log, clock, onEnd: end });
  }
  const onEnd = { certificate: end, authority: certificateEnd(metrics, clock, 'webhooks-authority') };
  return serveAdmissionOfService({ ...common, ...certificates, port, hooks, observeOnly, onEnd });
}
