import { request } from 'node:https';
import { isIP } from 'node:net';
import type { PostWebhook } from './call-webhook.ts';

const largest = 8 * 1024 * 1024;

/** Posts to a webhook over HTTPS. Redirects are not followed, and the answer may not be endless. */
export const postWebhook: PostWebhook = ({ url, target, ca, body, signal }) =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname, search } = new URL(url);
    const name = hostname.replace(/^\[|\]$/g, '');
    const outgoing = request(
      {
        method: 'POST',
        host: target?.host ?? name,
        port: target?.port ?? (port || 443),
        path: `${pathname}${search}`,
        // The certificate is judged by the name in the URL, wherever the connection goes.
        ...(isIP(name) === 0 && { servername: name }),
        ...(ca && { ca }),
        signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, */*',
          'user-agent': 'kube-apiserver-admission',
          'content-length': Buffer.byteLength(body),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        let size = 0;
        incoming.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > largest) incoming.destroy(new Error('response body is too large'));
          else chunks.push(chunk);
        });
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
        );
        incoming.on('error', (error) => reject(inGoWords(error, url)));
      },
    );
    outgoing.on('error', (error) => reject(inGoWords(error, url)));
    outgoing.end(body);
  });

const unknownAuthority = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_SIGNATURE_FAILURE',
]);

/** Failures of the network as the real server tells them: people and tools know those words. */
function inGoWords(
  error: NodeJS.ErrnoException & { readonly address?: string; readonly port?: number },
  url: string,
): Error {
  const { hostname, port } = new URL(url);
  const where = `${error.address ?? hostname}:${error.port ?? (port || 443)}`;
  const verify = 'tls: failed to verify certificate: x509:';
  if (error.code === 'ECONNREFUSED') return new Error(`dial tcp ${where}: connect: connection refused`);
  if (error.code === 'ENOTFOUND') return new Error(`dial tcp: lookup ${hostname}: no such host`);
  if (error.code === 'ECONNRESET') return new Error('EOF');
  if (unknownAuthority.has(error.code ?? '')) return new Error(`${verify} certificate signed by unknown authority`);
  if (error.code === 'CERT_HAS_EXPIRED') return new Error(`${verify} certificate has expired or is not yet valid`);
  if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return new Error(`${verify} certificate is not valid for ${hostname}`);
  }
  return error;
}
