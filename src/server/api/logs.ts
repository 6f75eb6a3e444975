import { kinds } from '../../kube/kinds.ts';
import { objectPath } from '../../kube/path.ts';
import type { Answer, Asked, Outlet } from '../http/asked.ts';
import { Refusal } from '../http/refusal.ts';
import type { Session } from '../login/session.ts';
import { type Desk, seen } from './desk.ts';
import { kubeRefusal } from './kube-refusal.ts';

const tailLines = 500;
/** After so much somebody should read it elsewhere. */
const mostBytes = 16 * 1024 * 1024;
/** Logs that one person follows. */
const mostOfOne = 16;

/**
 * What a container of a workload's pod prints, until the person leaves. Asked for in their own name, and read from the
 * cluster no faster than they read.
 */
export async function logs(desk: Desk, session: Session, asked: Asked): Promise<Answer> {
  const { entry, sight } = await seen(desk, session, asked.query.get('id'));
  const pod = asked.query.get('pod') ?? '';
  const container = asked.query.get('container') ?? undefined;
  const { namespace } = entry;
  const known = desk.pages.draw(entry, sight).portrait.pods.find(({ name }) => name === pod);
  if (!known) throw new Refusal(404, 'This workload has no such pod, or you may not see it.');
  if (container !== undefined && !known.containers.includes(container)) {
    throw new Refusal(404, `The pod has no such container. It has ${known.containers.join(', ') || 'none'}.`);
  }
  const right = { verb: 'get', type: kinds.pods, subresource: 'log', namespace } as const;
  if (!(await session.access.may(right))) {
    throw new Refusal(403, `You may not read logs in namespace ${namespace}. Ask for a role that allows get pods/log.`);
  }
  if (session.logs >= mostOfOne || asked.left.aborted) {
    throw new Refusal(429, 'Too many logs are open. Close some of them.');
  }
  // Counted before the cluster is asked: whoever asks for many at once gets no more.
  session.logs++;
  asked.left.addEventListener('abort', () => void session.logs--, { once: true });
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, asked.left, session.ended]);
  const path = objectPath(kinds.pods, { namespace, name: pod }, 'log');
  const query = { follow: true, tailLines, container };
  const lines = await session
    .client()
    .stream({ method: 'GET', path, query, accept: '*/*', signal })
    .catch((error: unknown) => {
      throw kubeRefusal(error, `read the log of pod ${pod}`);
    });
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-accel-buffering': 'no' },
    stream(outlet) {
      session.open++;
      outlet.closed.addEventListener('abort', () => leaving.abort(), { once: true });
      // Whoever leaves, or whose pod goes, ends it; there is nobody to tell that.
      void pour(lines, outlet)
        .catch(() => undefined)
        .finally(() => {
          session.open--;
          leaving.abort();
          outlet.end();
        });
    },
  };
}

async function pour(lines: AsyncIterable<Uint8Array>, outlet: Outlet): Promise<void> {
  let wake: (() => void) | undefined;
  outlet.onDrain(() => wake?.());
  outlet.closed.addEventListener('abort', () => wake?.(), { once: true });
  let bytes = 0;
  for await (const chunk of lines) {
    outlet.write(chunk);
    bytes += chunk.byteLength;
    if (bytes > mostBytes) {
      outlet.write(`\n(${mostBytes >> 20} MiB are shown: read on with kubectl logs)\n`);
      return;
    }
    if (outlet.full && !outlet.closed.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (outlet.closed.aborted) return;
  }
}
