import { unprocessable } from './cf-error.ts';
import { emptyList } from './list.ts';
import type { CfRoutes } from './platform.ts';

/** Things of Cloud Foundry that this platform has none of; clients list them on the way to other things. */
const none = [
  'organization_quotas',
  'space_quotas',
  'isolation_segments',
  'security_groups',
  'service_instances',
  'service_credential_bindings',
  'service_route_bindings',
  'service_offerings',
  'service_plans',
  'service_brokers',
  'feature_flags',
];

const services = 'Service instances and brokers are not supported. Give the app what it needs with cf set-env.';
const others =
  'Quotas, isolation segments and security groups are not supported. Use those of Kubernetes in the namespace.';

/** Empty lists, and clear refusals where something is asked to be made. */
export const absent: CfRoutes = (api) => {
  for (const what of none) {
    const why = what.startsWith('service_') ? services : others;
    api.get(`/v3/${what}`, (c) => c.json(emptyList(c)));
    api.post(`/v3/${what}`, () => {
      throw unprocessable(why);
    });
  }
};
