import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import type { Caches } from '../control/caches.ts';
import type { CertificateEnd } from '../control/certificates/certificate-end.ts';
import { withCertificateFiles } from '../control/certificates/certificate-files.ts';
import type { Log } from '../control/log.ts';
import type { AnyController } from '../control/operator.ts';
import { sealer } from '../control/sealed.ts';
import type { Hook } from '../control/webhooks/admission.ts';
import type { Client } from '../kube/client.ts';
import type { Identity } from '../kube/identity.ts';
import { openAdmission } from './admission/open-admission.ts';
import { allRoutes } from './api/all-routes.ts';
import { createCredentials } from './api/credentials.ts';
import { openPlatform } from './api/open-platform.ts';
import { serveCfApi } from './api/serve.ts';
import { createCfApi } from './api/server.ts';
import { cloudFoundryControllers } from './controllers.ts';
import type { ImageRegistry } from './ports/image-registry.ts';
import type { CloudFoundrySettings } from './settings.ts';

export interface CloudFoundryOptions {
  /** The operator's own. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly settings: CloudFoundrySettings;
  /** Where images are looked at; default: their registries. */
  readonly registry?: ImageRegistry;
  /** Where the CF API is served; absent: nowhere. */
  readonly api?: CfApiDoor;
}

export interface CfApiDoor {
  readonly port: number;
  /** Default: this machine only. */
  readonly host?: string;
  /** A directory with `tls.crt` and `tls.key`. Without it the API speaks plain HTTP, behind a proxy or on this machine. */
  readonly certificates?: string;
  /** Hears when the certificate ends. */
  readonly onCertificateEnd?: CertificateEnd;
  /** Believe what a proxy says of the address that the client used. */
  readonly trustForwarded?: boolean;
  /** Speaks to Kubernetes with a caller's credentials. */
  readonly clientFor: (identity: Identity) => Client;
}

/** The family, ready to run. */
export interface CloudFoundry {
  readonly controllers: Record<string, (caches: Caches) => AnyController>;
  /** What webhooks answer, by path. */
  readonly hooks: Readonly<Record<string, Hook>>;
  /** Takes what it looks into. Before the caches start. */
  onCaches(caches: Caches): void;
  /** Opens the API, if there is to be one; after `onCaches`. Every replica does, whether it leads or not. */
  serve(): Promise<{ readonly port: number } | undefined>;
  close(): Promise<void>;
}

export function openCloudFoundry(options: CloudFoundryOptions): CloudFoundry {
  const { client, clock, random, log, settings, registry, api: door } = options;
  const admission = openAdmission(settings, clock);
  const seal = sealer(randomBytes(32));
  const credentials = door && createCredentials({ client, clientFor: door.clientFor, clock });
  let platform: ReturnType<typeof openPlatform> | undefined;
  let server: { readonly port: number; close(): Promise<void> } | undefined;
  return {
    controllers: cloudFoundryControllers({ client, clock, random, settings, seal, ...(registry && { registry }) }),
    hooks: admission.hooks,
    onCaches(caches) {
      admission.onCaches(caches);
      if (door) platform = openPlatform(caches, { client, settings, clock, random, log });
    },
    async serve() {
      if (!door || !credentials || !platform) return undefined;
      const { port, host, certificates, onCertificateEnd: onEnd, trustForwarded = false } = door;
      const api = createCfApi({ platform, credentials, routes: allRoutes, trustForwarded });
      const where = { api, clock, log, port, ...(host !== undefined && { host }) };
      server = certificates
        ? await withCertificateFiles(
            { directory: certificates, what: 'the CF API', log, clock, ...(onEnd && { onEnd }) },
            (certificate) => serveCfApi({ ...where, certificate }),
          )
        : await serveCfApi(where);
      log.info({ port: server.port, tls: certificates !== undefined }, 'the CF API is served');
      return { port: server.port };
    },
    async close() {
      await server?.close();
      await credentials?.close();
    },
  };
}
