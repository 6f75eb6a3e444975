import { join } from 'node:path';
import type { Clock } from '../clock/clock.ts';
import type { Random } from '../clock/random.ts';
import { inProcess } from '../kube/in-process-transport.ts';
import type { Transport } from '../kube/transport.ts';
import { createAdmission } from './admission/admission.ts';
import { postWebhook } from './admission/post-webhook.ts';
import { quotaStatus } from './admission/quota-status.ts';
import { accountSecrets } from './auth/account-secrets.ts';
import { roleAggregation } from './auth/aggregate-roles.ts';
import { Gatekeeper, type StaticToken } from './auth/authenticator.ts';
import { openPki, type Pki } from './auth/pki.ts';
import { Rbac } from './auth/rbac.ts';
import { reviews } from './auth/reviews.ts';
import { TokenCheck } from './auth/token-check.ts';
import { TokenIssuer } from './auth/token-issuer.ts';
import { tokenRequest } from './auth/token-request.ts';
import { runController } from './controllers/loop.ts';
import { startControllers } from './controllers/start-controllers.ts';
import { discovery } from './discovery/discovery.ts';
import type { User } from './gate.ts';
import { responseOf } from './http/answer.ts';
import { handle } from './http/handle.ts';
import { health } from './http/health.ts';
import { type Access, kubeconfig } from './http/kubeconfig.ts';
import { type Listener, listen } from './http/listener.ts';
import { openChannel } from './http/open-channel.ts';
import type { Arrival, Serving } from './http/serving.ts';
import { upgrade } from './http/upgrade.ts';
import { type NodesOptions, startNodes } from './nodes/start-nodes.ts';
import { FlinkWorld } from './programs/flink/flink-world.ts';
import { type DurableStorage, openStorage } from './programs/flink/sqlite-storage.ts';
import { builtInServed } from './registry/built-in-resources.ts';
import { contextOf } from './registry/context-of.ts';
import { serveCustomResources } from './registry/custom-resources.ts';
import { endpointOf } from './registry/endpoint-of.ts';
import { announce, foundCluster } from './registry/found-cluster.ts';
import type { Ground } from './registry/ground.ts';
import { accountOf, mountedToken } from './registry/pod-identity.ts';
import { Resources } from './registry/resources.ts';
import { worldOf } from './registry/world-of.ts';
import type { Journal } from './store/journal.ts';
import { openJournal } from './store/sqlite-journal.ts';
import { Store } from './store/store.ts';
import type { World } from './world.ts';

export interface EmbeddedOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Directory that keeps the cluster's objects and keys. Without one they are gone with the process. */
  readonly data?: string;
  /** Tokens that stand for someone as long as the server runs. */
  readonly tokens?: readonly StaticToken[];
  /** Whether the built-in controllers run, and nodes that take up pods. Without them it is an API server and no more. Default: true. */
  readonly controllers?: boolean;
  /** The simulated nodes. */
  readonly nodes?: Pick<NodesOptions, 'count' | 'cpu' | 'memory' | 'timing' | 'programs' | 'flink'>;
  /** Keys and certificates that were made before; without them new ones are made, which takes a few milliseconds. */
  readonly pki?: Pki;
  /** Called with failures that are the server's own fault. */
  readonly trouble?: (what: string, error: unknown) => void;
}

/** Where a listening cluster is reached. */
export interface Door extends Access {
  /** The text of a kubeconfig file for its administrator. */
  readonly kubeconfig: string;
}

/** A Kubernetes in this process. */
export interface Embedded {
  /** The cluster as its built-in controllers see it. */
  readonly world: World;
  /** Speaks to the server by function calls, as the administrator or as `user`. */
  transport(user?: User): Transport;
  /** Opens an HTTPS door. The host is an address of this machine; by default nobody else can come in. */
  listen(options: { readonly port: number; readonly host?: string }): Promise<Door>;
  /** Stops everything. Requests that are being answered are answered first. */
  close(): Promise<void>;
}

const administrator: User = { name: 'cutover-admin', groups: ['system:masters', 'system:authenticated'] };
const apiServer: User = { name: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };
const controllerManager: User = {
  name: 'system:kube-controller-manager',
  groups: ['system:masters', 'system:authenticated'],
};

/**
 * Starts a cluster. With a virtual clock and a seeded random everything that happens in it is repeatable.
 *
 * @throws DataError when the data directory cannot be used
 */
export async function createEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { data, nodes } = options;
  const journal = data === undefined ? undefined : await openJournal(data);
  let storage: DurableStorage | undefined;
  try {
    storage = data === undefined || nodes?.flink ? undefined : await openStorage(data);
    return await start(options, journal, storage);
  } catch (error) {
    storage?.close();
    journal?.close();
    throw error;
  }
}

async function start(
  options: EmbeddedOptions,
  journal: Journal | undefined,
  storage: DurableStorage | undefined,
): Promise<Embedded> {
  const { clock, random, data, trouble = () => {} } = options;
  const store = new Store({ clock, trouble, ...(journal && { journal }) });
  const pki = options.pki ?? (await openPki({ clock, ...(data !== undefined && { directory: join(data, 'pki') }) }));

  const resources = new Resources();
  resources.replace([], builtInServed());
  const cluster = contextOf(store, resources, clock, random);
  const rbac = new Rbac(cluster);
  const issuer = new TokenIssuer({ key: pki.accountKey, clock, random });
  const gatekeeper = new Gatekeeper({
    tokens: options.tokens ?? [],
    accounts: new TokenCheck({ issuer, cluster, clock }),
  });
  const admission = createAdmission({
    cluster,
    rbac,
    clock,
    random,
    post: postWebhook,
    async resolveService(namespace, name, port) {
      const service = cluster.read('', 'services', namespace, name);
      const endpoint = service && endpointOf(cluster, service, String(port));
      return endpoint && { host: endpoint.address, port: endpoint.port };
    },
    versions: (group, plural) => resources.all().filter((one) => one.group === group && one.plural === plural),
  });
  const ground: Ground = { store, clock, random, admission, authorizer: rbac, context: cluster };
  let closed = false;
  const ended = (): boolean => closed;
  const world = worldOf(ground, resources, {
    user: controllerManager,
    manager: 'kube-controller-manager',
    ended,
    trouble,
  });
  const ownWorld = worldOf(ground, resources, { user: apiServer, manager: 'kube-apiserver', ended, trouble });

  const stops = [serveCustomResources(ownWorld, resources, trouble)];
  await foundCluster(ownWorld);
  // Whoever comes now finds the cluster as it is, not the steps by which it was made.
  store.compact();
  const { controllers = true } = options;
  if (controllers) {
    stops.push(
      startControllers(world, { ca: pki.ca, trouble }),
      ...[roleAggregation(world), accountSecrets(world, issuer, pki.ca), quotaStatus(world)].map((controller) =>
        runController(world, controller, trouble),
      ),
    );
  }
  const questions = reviews({ gatekeeper, authorizer: rbac, rbac, clock });
  const tokens = tokenRequest({ issuer, cluster, clock });
  let address = 'localhost:6443';
  const self = discovery({
    resources: () => resources.all(),
    get address() {
      return address;
    },
  });
  const serving: Serving = {
    ground,
    resources,
    authenticator: gatekeeper,
    get runtime() {
      return nodes.runtime;
    },
    virtual({ group, plural }, subresource) {
      if (group === '' && plural === 'serviceaccounts' && subresource === 'token') return tokens;
      const isReview = subresource === '' && /^auth(entic|oriz)ation\.k8s\.io$/.test(group);
      return isReview && Object.hasOwn(questions, plural) ? questions[plural] : undefined;
    },
    about: async (path, accept, query) => health(path, query) ?? self.handle(path, accept),
    trouble,
  };

  const transports: Transport[] = [];
  const transportOf = (user: User): Transport => {
    const inside: Serving = Object.create(serving, { authenticator: { value: { authenticate: async () => user } } });
    const arrivalOf = (request: Omit<Arrival, 'credentials'>): Arrival => ({ ...request, credentials: {} });
    const transport = inProcess(
      async (request) => responseOf(await handle(inside, arrivalOf(request))),
      (request, protocols) => openChannel(inside, arrivalOf(request), protocols),
    );
    transports.push(transport);
    return transport;
  };
  const accounts = new Map<string, Transport>();
  const transportAs = (account: User): Transport => {
    const transport = accounts.get(account.name) ?? transportOf(account);
    accounts.set(account.name, transport);
    return transport;
  };
  // Last of all: nodes take up pods at once, and their programs speak to the server.
  const nodes = startNodes(world, {
    flink: new FlinkWorld(storage),
    ...options.nodes,
    ...(!controllers && { count: 0 }),
    apiFor: (pod) => transportAs(accountOf(pod)),
    tokenFor: (pod) => mountedToken(issuer, cluster, pod),
  });
  stops.push(nodes.stop);

  const doors: Listener[] = [];
  return {
    world,

    transport: (user = administrator) => transportOf(user),

    async listen({ port, host = '127.0.0.1' }) {
      const { cert, key } = pki.server;
      const door = await listen(
        { host, port, cert, key, clientCa: pki.ca },
        {
          handle: (arrival) => handle(serving, arrival),
          upgrade: (arrival, request, socket, head) => upgrade(serving, arrival, request, socket, head),
        },
      );
      doors.push(door);
      address = `${host}:${door.port}`;
      await announce(ownWorld, host, door.port);
      const access: Access = { url: `https://${address}`, ca: pki.ca, admin: pki.admin };
      return { ...access, kubeconfig: kubeconfig(access) };
    },

    async close() {
      for (const stop of stops) stop();
      await Promise.all([...doors.map((door) => door.close()), ...transports.map((transport) => transport.close())]);
      closed = true;
      storage?.close();
      store.close();
    },
  };
}
