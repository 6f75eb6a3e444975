import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { complain } from '../cli/complaint.ts';
import type { OperatorOptions } from '../cli/program.ts';
import { stopSignal } from '../cli/stop-signal.ts';
import { realClock } from '../clock/real.ts';
import type { CfApiDoor } from '../cloudfoundry/open-cloud-foundry.ts';
import { certificateEnd } from '../control/certificates/certificate-end.ts';
import type { Client } from '../kube/client.ts';
import { chosenFamilies } from './chosen-families.ts';
import type { FamilyName } from './families.ts';
import { ofCallers } from './of-callers.ts';
import { type Run, runWith } from './run-with.ts';
import { version } from './version.ts';

/** The operator on the cluster that it is given access to. */
export async function operator(options: OperatorOptions): Promise<void> {
  // Memory is what an operator costs all day: collect garbage early rather than let the heap grow with every burst.
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=25');
  const stop = stopSignal();
  const [{ createMetrics }, { metered }, { Client }, { httpTransport }, { findAccess }] = await Promise.all([
    import('../control/metrics.ts'),
    import('../control/metered.ts'),
    import('../kube/client.ts'),
    import('../kube/http-transport.ts'),
    import('../kube/kubeconfig/find-access.ts'),
  ]);
  const access = await findAccess({ ...options, env: process.env, clock: realClock });
  const metrics = createMetrics({ process: true, version });
  const transport = metered(httpTransport({ ...access, clock: realClock }), metrics, realClock);
  const client = new Client(transport, { userAgent: `cutover/${version}` });
  const asked = options.family as readonly FamilyName[];
  const served = asked.length > 0 ? [] : await groupsOf(client, stop);
  const chosen = chosenFamilies({ asked, served, namespaces: options.watchNamespace });
  if ('refused' in chosen) return complain(chosen.refused);
  // Only inside of a cluster Services have names.
  const inside = process.env.KUBERNETES_SERVICE_HOST !== undefined && options.kubeconfig === undefined;
  const { fixedIdentity } = await import('../kube/identity.ts');
  const callers =
    (program: string): CfApiDoor['clientFor'] =>
    (identity) =>
      new Client(httpTransport({ ...access, ...ofCallers, identity: fixedIdentity(identity), clock: realClock }), {
        userAgent: `${program}/${version}`,
      });
  const end = await runWith(client, {
    logLevel: options.logLevel,
    signal: stop,
    families: chosen.families,
    namespaces: options.watchNamespace,
    flink: {
      way: options.flinkRest ?? (inside ? 'direct' : 'proxy'),
      ...(options.flinkConfig !== undefined && { flinkConfig: options.flinkConfig }),
      ...(options.flinkOtherOperator !== undefined && { otherOperator: options.flinkOtherOperator }),
    },
    kudo: { ...(options.kudoWaiterImage !== undefined && { waiterImage: options.kudoWaiterImage }) },
    cloudFoundry: {
      ...(options.cfConfig !== undefined && { config: await readFile(options.cfConfig, 'utf8') }),
      ...(options.cfApiPort !== undefined && {
        api: {
          port: options.cfApiPort,
          host: options.cfApiHost,
          trustForwarded: options.cfTrustForwarded,
          ...(options.cfApiCerts !== undefined && { certificates: resolve(options.cfApiCerts) }),
          clientFor: callers('cutover-cf-api'),
          onCertificateEnd: certificateEnd(metrics, realClock, 'cf-api'),
        },
      }),
    },
    server: {
      ...(options.dashboardPort !== undefined && {
        dashboard: {
          door: {
            port: options.dashboardPort,
            host: options.dashboardHost,
            ...(options.dashboardCerts !== undefined && { certificates: resolve(options.dashboardCerts) }),
            onCertificateEnd: certificateEnd(metrics, realClock, 'dashboard'),
          },
          clientFor: callers('cutover-dashboard'),
          readOnly: options.dashboardReadOnly,
          ...(options.dashboardKey !== undefined && { sessionKey: await readFile(options.dashboardKey, 'utf8') }),
        },
      }),
      ...(options.notify !== undefined && { notify: await readFile(options.notify, 'utf8') }),
    },
    ...webhooksOf(options),
    hello: {
      server: access.server,
      from: access.source,
      version,
      ...(chosen.left !== undefined && { left: chosen.left }),
    },
    options: {
      metrics,
      off: options.off,
      takeover: options.takeover,
      instance: process.env.POD_NAME ?? hostname(),
      observeOnly: options.observeOnly,
      health: { port: options.healthPort },
      ...(options.leaderElect && {
        lease: {
          namespace: options.leaseNamespace,
          name: 'cutover',
          ...(options.shards !== undefined && { shards: options.shards }),
        },
      }),
    },
  });
  if (end === 'lost') process.exitCode = 1;
}

function webhooksOf(options: OperatorOptions): Pick<Run, 'webhooks'> {
  const {
    webhookPort: port,
    webhookCerts,
    webhookService: service,
    leaseNamespace: namespace,
    off,
    observeOnly,
  } = options;
  if (port === undefined) return {};
  if (webhookCerts !== undefined) {
    return { webhooks: { port, certificates: { directory: webhookCerts }, off, observeOnly } };
  }
  if (service === undefined) return {};
  const { webhookConfiguration: configuration = service } = options;
  return { webhooks: { port, certificates: { service, namespace, configuration }, off, observeOnly } };
}

async function groupsOf(client: Client, signal: AbortSignal): Promise<readonly string[]> {
  const { groups } = await client.json<{ readonly groups: readonly { readonly name: string }[] }>({
    method: 'GET',
    path: '/apis',
    signal,
  });
  return groups.map(({ name }) => name);
}
