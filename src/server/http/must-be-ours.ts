import type { Asked } from './asked.ts';
import { isLoopbackHost } from './loopback.ts';
import { Refusal } from './refusal.ts';

/**
 * Refuses requests that another page made in somebody's browser. A cookie that is `SameSite=Strict` is not sent along with
 * those; this does not rely on it.
 *
 * @param loopback the server listens on this machine only: then a name that is not this machine's is a trick (DNS rebinding)
 * @throws Refusal 403, 421
 */
export function mustBeOurs(asked: Asked, loopback: boolean): void {
  const host = asked.header('host');
  if (loopback && !isLoopbackHost(host)) {
    throw new Refusal(421, 'This dashboard is for this machine only: open it at localhost or 127.0.0.1.');
  }
  const site = asked.header('sec-fetch-site');
  const api = asked.path.startsWith('/api/');
  if (api && (site === 'cross-site' || site === 'same-site')) throw foreign();
  const origin = asked.header('origin');
  if (origin !== undefined && (api || asked.method !== 'GET') && hostOf(origin) !== host?.toLowerCase()) {
    throw foreign();
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function foreign(): Refusal {
  return new Refusal(403, 'The request came from a page of another site. Open the dashboard itself and do it there.');
}
