import type { OperatorOptions } from '../cli/program.ts';
import { realRandom } from '../clock/random.ts';
import { realClock } from '../clock/real.ts';
import type { Caches } from '../control/caches.ts';
import type { Mirror } from '../control/mirror.ts';
import type { OperatorEnd, OperatorOptions as RunOptions } from '../control/operator.ts';
import type { Client } from '../kube/client.ts';
import type { FamilyName } from './families.ts';
import { type CloudFoundryRun, openCloudFoundry } from './open-cloud-foundry.ts';
import { openFleetCount } from './open-fleet-count.ts';
import { type FlinkRun, openFlink } from './open-flink.ts';
import { type KudoRun, openKudo } from './open-kudo.ts';
import { openServer, type ServerRun } from './open-server.ts';
import { openWebhooks, type WebhookRun } from './open-webhooks.ts';
import type { Running } from './running.ts';

/** What to run, and how. */
export interface Run {
  readonly logLevel: OperatorOptions['logLevel'];
  readonly signal: AbortSignal;
  readonly families: readonly FamilyName[];
  /** The only namespaces that are looked at; absent or empty: all, as far as a family is not told otherwise. */
  readonly namespaces?: readonly string[];
  readonly flink: FlinkRun;
  readonly cloudFoundry?: CloudFoundryRun;
  readonly kudo?: KudoRun;
  /** What people are shown and told; absent: nothing. */
  readonly server?: ServerRun;
  readonly webhooks?: WebhookRun;
  /** What to say when it starts. */
  readonly hello?: Readonly<Record<string, string>>;
  readonly options: Pick<RunOptions, 'instance'> & Partial<RunOptions>;
}

/** Runs all controllers until the signal aborts or the lease is lost, and closes the client. */
export async function runWith(client: Client, run: Run): Promise<OperatorEnd> {
  const { logLevel, signal, namespaces = [], webhooks, hello, options } = run;
  const [{ runOperator }, { createLog }, { createMetrics }] = await Promise.all([
    import('../control/operator.ts'),
    import('../control/log.ts'),
    import('../control/metrics.ts'),
  ]);
  const log = createLog({ level: logLevel });
  const shared = { client, log, clock: realClock, random: realRandom };
  const running: Running[] = [];
  if (run.families.includes('flink')) running.push(await openFlink(shared, { ...run.flink, namespaces }));
  if (run.families.includes('cloudfoundry')) running.push(await openCloudFoundry(shared, run.cloudFoundry ?? {}));
  if (run.families.includes('kudo')) running.push(await openKudo(shared, { ...run.kudo, namespaces }));
  if (hello) log.info({ ...hello, families: run.families }, 'starting');
  const own = options.metrics ?? createMetrics({ process: false });
  const shown = run.server?.dashboard !== undefined || run.server?.notify !== undefined;
  const families = shown || webhooks || options.health ? await Promise.all(running.map((one) => one.family())) : [];
  const elected = options.lease !== undefined;
  const about = { families, namespaces: namespacesOf(running) };
  // Without a page that somebody can read there is nothing to count for.
  const count = options.health && (await openFleetCount(shared, about, own, options.off ?? []));
  const metrics = count?.metrics ?? own;
  const server = shown && run.server ? await openServer(shared, about, metrics, run.server, elected) : undefined;
  const mirrors: Mirror[] = [];
  let hooks: { close(): Promise<void> } | undefined;
  let served: Promise<unknown> = Promise.resolve();
  try {
    hooks = webhooks && (await openWebhooks(shared, { running, families }, () => mirrors[0], metrics, webhooks));
    const onCaches = (caches: Caches): void => {
      mirrors.push(caches);
      for (const part of [...running, server, count]) part?.onCaches?.(caches);
      served = Promise.all([...running.map((family) => family.serve?.()), server?.serve()]);
    };
    const controllers = Object.assign({}, ...running.map((family) => family.controllers)) as RunOptions['controllers'];
    // A door that cannot be opened ends everything: whoever asked for it must hear of it.
    const broken = new AbortController();
    const until = AbortSignal.any([signal, broken.signal]);
    const measured = server?.metrics ?? metrics;
    const ended = runOperator({ ...shared, controllers, signal: until, onCaches, ...options, metrics: measured });
    await served.catch(() => broken.abort());
    const end = await ended;
    await served;
    return end;
  } finally {
    await hooks?.close();
    await server?.close();
    count?.close();
    for (const family of running) await family.close();
    await client.close();
  }
}

/** Those that all of it is about; none, which is all, when a family looks everywhere. */
function namespacesOf(running: readonly Running[]): readonly string[] {
  const each = running.map(({ namespaces = [] }) => namespaces);
  return each.every((names) => names.length > 0) ? [...new Set(each.flat())] : [];
}
