import { Agent, request } from 'node:https';
import type { Pki } from './pki.ts';

/** The few requests the rig itself makes, as the cluster's administrator. Suites bring their own client. */
export interface Api {
  /** The answer's status and body. Rejects only when there is no answer within five seconds. */
  send(method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly body: string }>;
  close(): void;
}

const ANSWER_WITHIN_MS = 5000;

export function connectApi(url: string, pki: Pki): Api {
  const { certPem, keyPem } = pki.credentials('admin');
  const agent = new Agent({ keepAlive: true, ca: pki.caPem, cert: certPem, key: keyPem });
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const outgoing = request(
          new URL(path, url),
          { method, agent, headers: { 'content-type': 'application/json' }, timeout: ANSWER_WITHIN_MS },
          (answer) => {
            let text = '';
            answer.setEncoding('utf8');
            answer.on('data', (chunk: string) => {
              text += chunk;
            });
            answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }));
            answer.on('error', reject);
          },
        );
        outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path}: no answer`)));
        outgoing.on('error', reject);
        outgoing.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => agent.destroy(),
  };
}
