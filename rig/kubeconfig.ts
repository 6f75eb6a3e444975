import { writeFile } from 'node:fs/promises';
import { stringify } from 'yaml';
import type { Client, Pki } from './pki.ts';

/** Writes a kubeconfig for one of the cluster's clients, readable by its owner only. */
export async function writeKubeconfig(file: string, server: string, pki: Pki, client: Client): Promise<void> {
  const { certPem, keyPem } = pki.credentials(client);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'rig', cluster: { server, 'certificate-authority-data': base64(pki.caPem) } }],
    users: [{ name: client, user: { 'client-certificate-data': base64(certPem), 'client-key-data': base64(keyPem) } }],
    contexts: [{ name: 'rig', context: { cluster: 'rig', user: client } }],
    'current-context': 'rig',
  };
  await writeFile(file, stringify(config, { lineWidth: 0 }), { mode: 0o600 });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
