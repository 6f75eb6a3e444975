import { type Clock, sleep } from '../clock/clock.ts';
import { KubeError } from './error.ts';
import type { Request, Response, Transport } from './transport.ts';

const mostTries = 10;
const [shortestMs, longestMs] = [200, 5_000];

/**
 * A transport that waits when the server says "not now", as it does for a moment after a kind was defined. For command
 * lines: there, people would have to try again themselves. Controllers know better when to.
 *
 * Safe for writes too: what is answered with 429 was not begun.
 */
export function patient(transport: Transport, clock: Clock): Transport {
  return {
    async request(request) {
      for (let tries = 1; ; tries++) {
        const response = await transport.request(request);
        if (response.status !== 429 || tries === mostTries) return response;
        await discard(response);
        await wait(clock, response, request);
      }
    },
    connect: (request, protocols) => transport.connect(request, protocols),
    close: () => transport.close(),
  };
}

/** Leaving the loop frees the connection. */
async function discard({ body }: Response): Promise<void> {
  for await (const _ of body) break;
}

async function wait(clock: Clock, { headers }: Response, { signal, method, path }: Request): Promise<void> {
  const asked = Number(headers['retry-after'] ?? 0) * 1000 || shortestMs;
  try {
    await sleep(clock, Math.min(Math.max(asked, shortestMs), longestMs), signal);
  } catch (cause) {
    throw new KubeError('aborted', `${method} ${path}: aborted`, { cause });
  }
}
