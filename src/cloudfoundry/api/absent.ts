import { unprocessable } from './cf-error.ts';
import { emptyList } from './list.ts';
import type { CfRoutes } from './platform.ts';

/** What Cloud Foundry has and this platform has not: there are none of them, and none can be made. */
const services = [
  'service_instances',
  'service_offerings',
  'service_plans',
  'service_brokers',
  'service_credential_bindings',
  'service_route_bindings',
];

const noServices =
  'Services are not supported: create what the app needs in the cluster, and give the app its address and credentials ' +
  'with cf set-env.';

/** Lists that are always empty, so that commands which merely look at them work; and a clear word for those that want more. */
export const absentRoutes: CfRoutes = (api) => {
  for (const name of services) {
    api.get(`/v3/${name}`, (c) => c.json(emptyList(c)));
    api.post(`/v3/${name}`, () => {
      throw unprocessable(noServices);
    });
  }
  api.get('/v3/audit_events', (c) => c.json(emptyList(c)));
};
