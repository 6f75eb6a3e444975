import type { Client } from '../../../kube/client.ts';
import { KubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import { eventLines } from '../../../portrait/event-lines.ts';
import { workloadsOf } from '../families.ts';
import type { Found } from '../find-subject.ts';
import { besideOf, eventsOf } from '../gather.ts';
import { logLines } from '../log-lines.ts';
import { pageOf } from '../page-of.ts';
import type { Scene } from '../scene.ts';
import { redacted, text } from './redacted.ts';

/** Beyond this a report helps nobody. */
const mostWorkloads = 50;
const mostEvents = 200;
const logTail = 500;
/** The lease of the operator that leads. */
const leaseName = 'cutover';

/** Everything that whoever helps asks for first, without secrets. What could not be read says why. */
export async function bundle(scene: Scene, subjects: readonly Found[], version: string): Promise<readonly unknown[]> {
  const { client, namespace, frame } = scene;
  const chosen = subjects.slice(0, mostWorkloads);
  const [server, definitions, events, operator] = await Promise.all([
    tried(() => client.json<unknown>({ method: 'GET', path: '/version' })),
    tried(() => definitionsOf(scene)),
    tried(async () => eventLines(await eventsOf(client, namespace), { limit: mostEvents })),
    tried(() => operatorLogs(client)),
  ]);
  const head = {
    report: 'cutover',
    version,
    at: new Date(frame.now).toISOString(),
    namespace,
    server,
    definitions,
    families: (await scene.families()).map(({ name }) => name),
    workloads: subjects.length,
    ...(subjects.length > chosen.length && { note: `only the first ${chosen.length} workloads are in it` }),
  };
  const pages = await Promise.all(chosen.map((found) => workloadPart(scene, found)));
  return [head, ...pages, { events }, { operator }].map(redacted);
}

async function workloadPart(scene: Scene, found: Found): Promise<unknown> {
  const { client, frame } = scene;
  const { workload, object } = found;
  const page = await tried(() => pageOf(client, found, frame));
  const own = new Set(namesIn(page));
  const beside = await tried(async () => {
    const lists = await besideOf(client, workload, object.metadata.namespace ?? 'default');
    return [...lists.values()].flat().filter(({ kind, metadata }) => own.has(`${kind}/${metadata.name}`));
  });
  return { workload: `${workload.type.kind}/${object.metadata.name}`, object, page, beside };
}

/** What the tree of a page is made of. */
function namesIn(page: unknown): readonly string[] {
  const names: string[] = [];
  const pending: unknown[] = [(page as { readonly portrait?: { readonly tree?: unknown } })?.portrait?.tree];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const { kind, name, children } = node as {
      readonly kind?: string;
      readonly name?: string;
      readonly children?: unknown[];
    };
    names.push(`${kind}/${name}`);
    pending.push(...(children ?? []));
  }
  return names;
}

/** Which definitions are installed, in which versions: a kind that is missing explains a lot. */
async function definitionsOf({ client, families }: Scene): Promise<readonly unknown[]> {
  const groups = new Set(workloadsOf(await families()).map(({ type }) => type.group));
  const { items } = await client.resource(kinds.customResourceDefinitions).list();
  return items
    .filter(({ spec }) => groups.has((spec as { readonly group?: string } | undefined)?.group ?? ''))
    .map(({ metadata, spec }) => {
      const { versions } = spec as { readonly versions?: readonly { readonly name?: string }[] };
      return { name: metadata.name, generation: metadata.generation, versions: versions?.map(({ name }) => name) };
    });
}

/** Who leads, since when, and the end of its log; there is none of an operator that runs outside of the cluster. */
async function operatorLogs(client: Client): Promise<readonly unknown[]> {
  const { items } = await client.resource(kinds.leases).list({ fieldSelector: { 'metadata.name': leaseName } });
  return Promise.all(
    items.map(async ({ metadata, spec }) => {
      const { holderIdentity } = (spec ?? {}) as { readonly holderIdentity?: unknown };
      // The pod and an id of its own.
      const holder = typeof holderIdentity === 'string' ? holderIdentity.replace(/_[^_]*$/, '') : '';
      return { lease: `${metadata.namespace}/${leaseName}`, spec, log: await tried(() => logsOf(client, holder)) };
    }),
  );
}

async function logsOf(client: Client, name: string): Promise<readonly unknown[]> {
  const pods = client.resource(kinds.pods);
  const { items } = await pods.list({ fieldSelector: { 'metadata.name': name || '-' } });
  return Promise.all(
    items.slice(0, 3).map(async ({ metadata: { namespace = '' } }) => {
      const lines: string[] = [];
      for await (const line of logLines(pods.log({ namespace, name }, { tailLines: logTail }))) lines.push(text(line));
      return { pod: `${namespace}/${name}`, lines };
    }),
  );
}

async function tried<T>(read: () => Promise<T>): Promise<T | { readonly unreadable: string }> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KubeError && error.kind !== 'aborted') return { unreadable: error.message };
    throw error;
  }
}
