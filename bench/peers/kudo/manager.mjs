// The peer of the KUDO benchmark: KUDO's own manager, built from its Go module, on the cluster that KUBECONFIG names, with the
// definitions and the webhook that it cannot work without. What is asked of it is in bench/kudo/README.md.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { endingWithUs } from '../../../rig/command.ts';
import { createPki } from '../../../rig/pki.ts';
import { reportTo } from '../../../rig/progress.ts';
import { install } from '../../../src/cli/install.ts';
import { realClock } from '../../../src/clock/real.ts';
import { Client } from '../../../src/kube/client.ts';
import { httpTransport } from '../../../src/kube/http-transport.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { findAccess } from '../../../src/kube/kubeconfig/find-access.ts';
import { buildManager, version } from './build.mjs';

/** Fixed, as 8080 for its metrics is: the manager has no option for its ports, nor for the address, which is any. */
const webhookPort = 443;
const readyWithinMs = 60_000;

/** As `kubectl kudo init` registers it, but for the way to it: an address, because nothing here routes to a Service. */
function webhook(authority) {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'kudo-manager-instance-admission-webhook-config' },
    webhooks: [
      {
        name: 'instance-admission.kudo.dev',
        admissionReviewVersions: ['v1beta1', 'v1'],
        sideEffects: 'None',
        failurePolicy: 'Fail',
        matchPolicy: 'Equivalent',
        rules: [
          {
            apiGroups: ['kudo.dev'],
            apiVersions: ['v1beta1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['instances'],
            scope: 'Namespaced',
          },
        ],
        clientConfig: {
          url: `https://127.0.0.1:${webhookPort}/admit-kudo-dev-v1beta1-instance`,
          caBundle: authority.toString('base64'),
        },
      },
    ],
  };
}

/**
 * Resolves when the API server has heard of the webhook, and the webhook answers: it refuses what has no OperatorVersion, which nobody
 * else would. A refusal because it cannot be reached is none.
 */
async function admits(client, signal) {
  const probe = {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'Instance',
    metadata: { name: 'probe', namespace: 'default' },
    spec: { operatorVersion: { name: 'there-is-none' } },
  };
  const call = {
    method: 'POST',
    path: '/apis/kudo.dev/v1beta1/namespaces/default/instances',
    query: { dryRun: 'All' },
  };
  for (;;) {
    if (signal.aborted) throw new Error("KUDO's webhook did not answer in time");
    const refusal = await client.json({ ...call, body: probe }).then(
      () => undefined,
      (error) => String(error),
    );
    if (refusal !== undefined && /admission webhook .* denied the request/.test(refusal)) return;
    await delay(100);
  }
}

const built = await buildManager(reportTo((line) => process.stderr.write(line)));
const certificates = mkdtempSync(join(tmpdir(), 'cutover-bench-peer-kudo-'));
process.on('exit', () => rmSync(certificates, { recursive: true, force: true }));
await createPki(certificates, ['127.0.0.1']);
for (const end of ['crt', 'key']) {
  await copyFile(join(certificates, `apiserver.${end}`), join(certificates, `tls.${end}`));
}

const access = await findAccess({ env: process.env, clock: realClock });
const client = new Client(httpTransport({ ...access, clock: realClock }));
const folder = join(built, 'crds');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const definitions = files.map((name) => parse(readFileSync(join(folder, name), 'utf8')));
await install(client, definitions, AbortSignal.timeout(readyWithinMs));
await client
  .resource(kinds.mutatingWebhookConfigurations)
  .apply(webhook(readFileSync(join(certificates, 'ca.crt'))), { manager: 'bench', force: true });

// It logs every step, to its standard error: the end of that is kept, for the case that it fails.
const child = spawn(...endingWithUs(join(built, 'manager'), []), {
  env: { ...process.env, KUDO_CERT_DIR: certificates },
  stdio: ['ignore', 'ignore', 'pipe'],
});
let said = '';
child.stderr.setEncoding('utf8').on('data', (text) => {
  said = (said + text).slice(-2000);
});
let ending = false;
for (const signal of ['SIGTERM', 'SIGINT']) {
  process.on(signal, () => {
    ending = true;
    child.kill('SIGTERM');
  });
}
const over = once(child, 'exit').then(([code]) => {
  if (!ending) throw new Error(`KUDO's manager has ended with ${code}`);
});

try {
  await Promise.race([admits(client, AbortSignal.timeout(readyWithinMs)), over]);
} catch (error) {
  console.error(`${error.message}; the manager's last words:\n${said}`);
  process.exit(1);
}
await client.close();
if (!ending) console.log(JSON.stringify({ phase: 'started', name: `KUDO ${version}`, pid: child.pid }));
await over;
