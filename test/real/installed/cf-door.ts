import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../../src/kube/client.ts';
import { isKubeError } from '../../../src/kube/error.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { makeCertificate } from '../cloudfoundry/certificate.ts';
import { Installed } from './installed.ts';

/** A Service with an address that is known before the operator is there, so that a certificate can be made for it. */
export const CF_DOOR = { address: '10.96.77.77', secret: 'cf-api-tls' } as const;

interface Secret extends AnyObject {
  readonly data: Readonly<Record<string, string>>;
}

/** Makes the Service and the certificate of the CF API, which the chart is told of by the Secret's name; or finds them. */
export async function openCfDoor(
  client: Client,
  directory: string,
): Promise<{ readonly url: string; readonly authority: string }> {
  const { namespace } = Installed;
  const url = `https://${CF_DOOR.address}`;
  const found = await client
    .resource<Secret>(kinds.secrets)
    .get({ namespace, name: CF_DOOR.secret })
    .catch((error: unknown) => (isKubeError(error, 'not-found') ? undefined : Promise.reject(error)));
  if (found) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'ca.crt'), Buffer.from(found.data['ca.crt'] ?? '', 'base64'));
    return { url, authority: join(directory, 'ca.crt') };
  }
  const { directory: served, authority } = await makeCertificate(directory, [CF_DOOR.address]);
  const as = { manager: 'person', force: true } as const;
  const file = (name: string): string => readFileSync(join(served, name)).toString('base64');
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: CF_DOOR.secret, namespace },
    type: 'kubernetes.io/tls',
    data: {
      'tls.crt': file('tls.crt'),
      'tls.key': file('tls.key'),
      'ca.crt': readFileSync(authority).toString('base64'),
    },
  };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'cf-door', namespace },
    spec: {
      clusterIP: CF_DOOR.address,
      selector: { 'app.kubernetes.io/name': 'cutover', 'app.kubernetes.io/instance': Installed.release },
      ports: [{ name: 'cf-api', port: 443, targetPort: 8443, protocol: 'TCP' }],
    },
  };
  const home = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  await client.resource(kinds.namespaces).apply(home, as);
  await client.resource(kinds.secrets).apply(secret, as);
  await client.resource(kinds.services).apply(service, as);
  return { url, authority };
}
