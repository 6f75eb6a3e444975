import { emptyList } from './list.ts';
import type { CfRoutes } from './platform.ts';

/** Who did what is in the audit log of the Kubernetes API server, where requests arrive under their own names. Here is none. */
export const auditEvents: CfRoutes = (api) => {
  api.get('/v3/audit_events', (c) => c.json(emptyList(c)));
};
