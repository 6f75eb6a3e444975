import { copyFile, mkdir } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { createPki } from '../../../rig/pki.ts';

/** A certificate for servers on this machine. */
export interface Certificate {
  /** With `tls.crt` and `tls.key`. */
  readonly directory: string;
  /** Whoever trusts the certificate in this file trusts it. */
  readonly authority: string;
}

/** For those who reach them by one of these addresses. */
export async function makeCertificate(
  directory: string,
  addresses: readonly string[] = ['127.0.0.1'],
): Promise<Certificate> {
  await createPki(directory, addresses);
  const served = join(directory, 'served');
  await mkdir(served);
  for (const end of ['crt', 'key']) await copyFile(join(directory, `apiserver.${end}`), join(served, `tls.${end}`));
  return { directory: served, authority: join(directory, 'ca.crt') };
}

/** What a server answers when nobody in particular asks, whoever signed for it. */
export function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    request.on('error', reject);
  });
}
