import { once } from 'node:events';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { install } from '../../src/cli/install.ts';
import { realRandom } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import { VirtualClock } from '../../src/clock/virtual.ts';
import { silent } from '../../src/control/log.ts';
import { serveAdmissionOfService } from '../../src/control/webhooks/admission-of-service.ts';
import { createEmbedded, type Embedded } from '../../src/embedded/embedded.ts';
import { defaultOperatorConfig } from '../../src/flink/config/default-operator-config.ts';
import { definitions, flinkFamily, flinkHooks } from '../../src/flink/family.ts';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import { application } from '../flink/manifests.ts';
import { configurations, entries } from './configurations.ts';
import { certificatesIn, trusts } from './keeper-stage.ts';
import { reach } from './reach.ts';

const place = { namespace: 'home', service: 'hooks' };
const minute = 60_000;
/** Certificates begin an hour before they are made: so long the keepers' clock may run ahead of the one that TLS goes by. */
const lifetimes = { authorityMs: 12 * minute, leafMs: 4 * minute, settleMs: minute / 2, graceMs: minute / 2 };

describe('webhooks whose certificates are renewed again and again', () => {
  let cluster: Embedded;
  let client: Client;
  const clock = new VirtualClock(Date.now());
  const servers: { readonly port: number; close(): Promise<void> }[] = [];

  beforeAll(async () => {
    cluster = await createEmbedded({ clock: realClock, random: realRandom });
    client = new Client(cluster.transport());
    await install(client, definitions(), AbortSignal.timeout(20_000));
    await client
      .resource(kinds.namespaces)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: place.namespace } });
    const hooks = flinkHooks(flinkFamily(defaultOperatorConfig), { find: () => 'unknown' });
    for (let replica = 0; replica < 2; replica++) {
      const own = new Client(cluster.transport());
      const where = { ...place, configuration: place.service, host: '127.0.0.1', port: 0, hooks, log: silent };
      servers.push(await serveAdmissionOfService({ ...where, client: own, clock, random: realRandom, lifetimes }));
    }
    const flink = entries().filter(({ family }) => family === 'flink');
    for (const object of configurations(place, flink)) {
      const isValidating = object.kind === kinds.validatingWebhookConfigurations.kind;
      const type = isValidating ? kinds.validatingWebhookConfigurations : kinds.mutatingWebhookConfigurations;
      await client.resource(type).create(object);
    }
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
    await cluster.close();
  });

  /** Whether the API server asks the webhooks: what it cannot ask about is let through. */
  async function isAsked(): Promise<boolean> {
    const wrong = {
      ...application(),
      metadata: { name: 'wrong', namespace: 'default' },
    };
    // No schema objects to it, and so nobody but the webhooks.
    const spec = { ...wrong.spec, flinkConfiguration: { 'kubernetes.namespace': 'elsewhere' } };
    return client
      .resource<FlinkDeployment>(flinkDeployment.type)
      .create({ ...wrong, spec }, { dryRun: true })
      .then(
        () => false,
        (error: Error) => /denied the request/.test(error.message),
      );
  }

  async function shownAt(port: number): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const pem = certificatesIn(pemOf(socket.getPeerCertificate().raw))[0]?.toString() ?? '';
    socket.destroy();
    return pem;
  }

  it('are asked all the time, whichever replica answers, and no connection is cut', { timeout: 60_000 }, async () => {
    await reach(client, place, servers[0]?.port ?? 0);
    const turn = async (ms: number): Promise<void> => {
      await clock.advance(ms);
      await new Promise((resolve) => setTimeout(resolve, 2));
    };
    for (let tries = 0; tries < 500 && !(await isAsked()); tries++) await turn(20);
    expect(await isAsked()).toBe(true);

    const kept = connect({ port: servers[0]?.port ?? 0, host: '127.0.0.1', rejectUnauthorized: false });
    await once(kept, 'secureConnect');
    let cut = false;
    kept.once('close', () => {
      cut = true;
    });

    const [authorities, leaves] = [new Set<string>(), new Set<string>()];
    let most = 0;
    for (let step = 0; step < 150; step++) {
      await reach(client, place, servers[step % 2]?.port ?? 0);
      expect(await isAsked(), `step ${step}`).toBe(true);
      const bundle = await trusted();
      for (const one of certificatesIn(bundle)) authorities.add(one.fingerprint256);
      most = Math.max(most, certificatesIn(bundle).length);
      for (const { port } of servers) {
        const shown = await shownAt(port);
        leaves.add(shown);
        expect(trusts(bundle, shown), `step ${step}`).toBe(true);
      }
      await turn(20_000);
      await turn(20);
    }
    expect(authorities.size).toBeGreaterThan(3);
    expect(leaves.size).toBeGreaterThan(8);
    expect(most).toBeGreaterThan(1);
    // Handshakes of new connections change; what is open stays open until it has been idle for too long.
    expect(cut).toBe(false);
    kept.destroy();
  });

  it('are passed over when they are gone', async () => {
    expect(await isAsked()).toBe(true);
    await Promise.all(servers.splice(0).map((server) => server.close()));
    expect(await isAsked()).toBe(false);
    const deployments = client.resource<FlinkDeployment>(flinkDeployment.type);
    await deployments.create(application(), { dryRun: true });
  });

  async function trusted(): Promise<string> {
    const { webhooks } = await client.resource(kinds.validatingWebhookConfigurations).get({ name: place.service });
    const [{ clientConfig }] = webhooks as [{ readonly clientConfig: { readonly caBundle?: string } }];
    return Buffer.from(clientConfig.caBundle ?? '', 'base64').toString();
  }
});

function pemOf(der: Buffer): string {
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
}
