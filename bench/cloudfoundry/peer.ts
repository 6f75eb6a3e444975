import { setTimeout as delay } from 'node:timers/promises';
import { median, type Row } from '../benchmark.ts';
import { timed, Wire } from './wire.ts';

/** By then an API that waits for its controllers has their attention again. */
const quietMs = 1_000;

/**
 * Another CF API, at `URL#APP`: the GUID of an app that may be restarted as often as it takes. The Authorization header comes
 * from `CF_PEER_AUTHORIZATION`. Its app is as it is, so the figures stand beside ours without a goal.
 */
export async function measurePeer(
  peer: string,
  ours: readonly Row[],
  { rounds }: { readonly rounds: number },
): Promise<readonly Row[]> {
  const { origin, hash } = new URL(peer);
  const app = hash.slice(1);
  if (app === '') throw new Error('--peer needs the GUID of an app that may be restarted: URL#GUID');
  const authorization = process.env.CF_PEER_AUTHORIZATION;
  using wire = new Wire({ url: origin, ...(authorization && { authorization }) });
  const relationships = { app: { data: { guid: app } } };
  const web = `/v3/apps/${app}/processes/web/stats`;
  const requests: Readonly<Record<string, () => Promise<unknown>>> = {
    // Without a strategy: rolling is what it means, and some know no such field.
    'POST /v3/deployments': () => wire.send('POST', '/v3/deployments', { relationships }),
    restart: () => wire.send('POST', `/v3/apps/${app}/actions/restart`),
    stats: () => wire.get(web),
    'GET /v3/apps': () => wire.get('/v3/apps'),
  };
  const rows: Row[] = [];
  for (const [name, request] of Object.entries(requests)) {
    const took: number[] = [];
    for (let round = 0; round < Math.min(rounds, 20); round++) {
      took.push(await timed(request));
      await delay(quietMs);
    }
    const beside = ours.find(({ metric }) => metric.startsWith(name) && metric.endsWith('p50'));
    if (beside) rows.push(against(beside, name, median(took)));
  }
  return rows;
}

function against({ ours }: Row, name: string, value: number): Row {
  const metric = `${name}, p50`;
  return {
    metric,
    unit: 'ms',
    ours,
    peer: value,
    peerName: 'the other API',
    ratio: ours / value,
    goal: '',
    holds: null,
  };
}
