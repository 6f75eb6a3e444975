import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerFor } from '../flink/rest-stub.ts';
import { jobIdOf } from './names.ts';

/** What this process is asked: how many clusters the operator has asked since that was forgotten. */
export type AskedQuestion = 'count' | 'forget';

/** What this process says. */
export type AskedAnswer = { readonly port: number } | { readonly asked: number };

/** A process of its own that answers for the JobManagers of all clusters: their jobs run, and nothing ever happens. */
const asked = new Set<string>();
const server = createServer((request, response) => {
  request.resume();
  const [, name = '', path = '/'] = /^\/clusters\/[^/]+\/([^/]+)(\/[^?]*)/.exec(request.url ?? '') ?? [];
  asked.add(name);
  answerFor(request.method ?? 'GET', path, [[name, jobIdOf(name)]], response);
});
server.keepAliveTimeout = 120_000;
// Real clusters have a connection each, which serves one round of questions and then lies idle until it is closed.
server.maxRequestsPerSocket = 2;
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const say = (answer: AskedAnswer): void => void process.send?.(answer);
process.on('message', (question: AskedQuestion) => {
  if (question === 'forget') asked.clear();
  else say({ asked: asked.size });
});
process.on('disconnect', () => process.exit());
say({ port: (server.address() as AddressInfo).port });
