import { type CfApp, cfApp } from '../resources/cf-app.ts';
import { revisionsOf } from '../revision.ts';
import { processesOf } from './find-process.ts';
import { bounded } from './list-as.ts';
import { gauges } from './logs/gauges.ts';
import { readLogs } from './logs/read-logs.ts';
import { type LogQuery, logQuery } from './payload/log-query.ts';
import type { Caller, CfRoutes } from './platform.ts';
import { podUsage } from './pod-usage.ts';
import { type Gauge, gaugeEnvelope, logEnvelope, presentEnvelopes } from './present/envelopes.ts';
import { readAs } from './read-as.ts';

/** Log-cache's `read`: what an app has printed, and what it uses. Nothing is stored: the pods are asked each time. */
export const logRoutes: CfRoutes = (api, platform) => {
  const usageOf = podUsage(platform);

  const measured = async (caller: Caller, app: CfApp): Promise<readonly Gauge[]> => {
    if (app.spec.desiredState !== 'STARTED') return [];
    const appRev = String(revisionsOf(app).appRev);
    const found = await bounded(await processesOf(caller, app), 4, async (process) => {
      const { name = '', namespace = '' } = process.metadata;
      const usage = await usageOf({ namespace, process: name, appRev });
      return gauges(app, process, usage, platform.settings.process);
    });
    return found.flat();
  };

  api.get('/api/v1/read/:guid', async (c) => {
    const query = logQuery(new URL(c.req.url).searchParams);
    const app = await readAs<CfApp>(platform, c.var.caller, cfApp, c.req.param('guid'), 'App');
    const { name: guid = '' } = app.metadata;
    const [lines, used] = await Promise.all([
      query.logs ? readLogs(platform, c.var.caller, app, query) : [],
      query.gauges ? measured(c.var.caller, app) : [],
    ]);
    const envelopes = [
      ...lines.map((line) => ({ time: line.time, envelope: logEnvelope(guid, line) })),
      ...used.map((gauge) => ({ time: gauge.time, envelope: gaugeEnvelope(guid, gauge) })),
    ];
    return c.json(presentEnvelopes(asked(envelopes, query)));
  });
};

interface Timed {
  readonly time: bigint;
  readonly envelope: object;
}

/** Those of the window, as many as asked for, in the order asked for; what came at the same instant keeps its order. */
function asked(envelopes: readonly Timed[], { start, end, limit, descending }: LogQuery): readonly object[] {
  const ordered = envelopes
    .filter(({ time }) => time >= start && (end === undefined || time < end))
    .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  return (descending ? ordered.toReversed() : ordered).slice(0, limit).map(({ envelope }) => envelope);
}
