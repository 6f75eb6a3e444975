import type { CfRoutes } from './platform.ts';
import { link } from './present/links.ts';

/** The version of the CF API that is spoken; clients ask for features by it. */
const apiVersion = '3.211.0+cf-k8s';
const logCacheVersion = '2.11.4+cf-k8s';

/** Links of the root that this platform has nothing behind. */
const without = {
  app_ssh: null,
  bits_service: null,
  cloud_controller_v2: null,
  credhub: null,
  log_stream: null,
  logging: null,
  network_policy_v0: null,
  network_policy_v1: null,
  routing: null,
  uaa: null,
};

/** What the API says of itself, and who the caller is to it. */
export const info: CfRoutes = (api, { settings }) => {
  api.get('/', (c) => {
    const { base } = c.var;
    const here = { href: base, meta: { version: '' } };
    const v3 = { href: `${base}/v3`, meta: { version: apiVersion } };
    const links = { ...without, self: here, login: here, log_cache: here, cloud_controller_v3: v3 };
    return c.json({ links, cf_on_k8s: true });
  });

  api.get('/v3', (c) => c.json({ links: { self: link(c.var.base, '/v3') } }));

  api.get('/v3/info', (c) =>
    c.json({
      build: settings.version,
      cli_version: { minimum: '8.5.0', recommended: '' },
      description: 'Cutover: Cloud Foundry on Kubernetes',
      name: 'cutover',
      version: settings.version,
      custom: {},
      links: { self: link(c.var.base, '/v3/info') },
    }),
  );

  api.get('/whoami', (c) => c.json({ name: c.var.caller.name, kind: c.var.caller.kind }));

  api.get('/api/v1/info', (c) => c.json({ version: logCacheVersion, vm_uptime: '0' }));
};
