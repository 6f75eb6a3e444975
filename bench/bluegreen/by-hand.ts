import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { apiVersionOf, type ResourceType } from '../../src/kube/resource-type.ts';

/** A cluster whose job runs: the name of it and of its job. */
export interface RunningSide {
  readonly cluster: string;
  readonly jobId: string;
  /** What its job was restored from. */
  readonly restoredFrom: string;
}

const lookEveryMs = 50;
const name = 'by-hand';

/** In the order in which nothing waits for anything else. */
const types = [kinds.configMaps, kinds.services, kinds.deployments];

/**
 * The floor of a transition: a savepoint of the running side by REST, and the same pods once more beside it, restored
 * from that, until all tasks run. Nothing is compared, watched or recorded.
 */
export class ByHand {
  readonly #client: Client;
  readonly #namespace: string;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Resolves with how many seconds it took; what was started is gone again by then. */
  async seconds(side: RunningSide): Promise<number> {
    const copies = await this.#copies(side);
    if (side.restoredFrom === '' || !copies.some(([, text]) => text.includes(side.restoredFrom))) {
      throw new Error(`${side.cluster} does not say that it was restored from "${side.restoredFrom}"`);
    }
    const began = performance.now();
    const savepoint = await this.#savepoint(side);
    for (const [type, text] of copies) {
      const object = JSON.parse(text.replaceAll(side.restoredFrom, savepoint)) as AnyObject;
      await this.#client.resource(type).create(object);
    }
    while (!(await this.#runs())) await delay(lookEveryMs);
    const took = (performance.now() - began) / 1000;
    await this.#remove();
    return took;
  }

  /** The objects of the side as somebody would write them down, under another name and for another job. */
  async #copies({ cluster, jobId }: RunningSide): Promise<readonly (readonly [ResourceType, string])[]> {
    const copies: (readonly [ResourceType, string])[] = [];
    const otherJob = randomBytes(16).toString('hex');
    for (const type of types) {
      for (const object of await this.#list(type, cluster)) {
        const text = JSON.stringify(bare(type, object)).replaceAll(cluster, name).replaceAll(jobId, otherJob);
        copies.push([type, text]);
      }
    }
    return copies;
  }

  async #savepoint({ cluster, jobId }: RunningSide): Promise<string> {
    const asked = await this.#ask(cluster, 'POST', `/jobs/${jobId}/savepoints`, { 'cancel-job': false });
    const path = `/jobs/${jobId}/savepoints/${(asked as { readonly 'request-id': string })['request-id']}`;
    for (;;) {
      const { operation } = (await this.#ask(cluster, 'GET', path)) as Savepoint;
      if (operation?.location !== undefined) return operation.location;
      if (operation?.['failure-cause']) throw new Error(`no savepoint: ${JSON.stringify(operation['failure-cause'])}`);
      await delay(lookEveryMs);
    }
  }

  /** What a person would look at; until the JobManager listens there is no answer. */
  async #runs(): Promise<boolean> {
    const answer = await this.#ask(name, 'GET', '/jobs/overview').catch(() => undefined);
    const { jobs = [] } = (answer ?? {}) as Overview;
    return jobs.some(({ tasks }) => tasks.total > 0 && tasks.running === tasks.total);
  }

  async #remove(): Promise<void> {
    for (const type of types.toReversed()) {
      for (const { metadata } of await this.#list(type, name)) {
        await this.#client.resource(type).delete({ namespace: this.#namespace, name: metadata.name ?? '' });
      }
    }
    while ((await this.#list(kinds.pods, name)).length > 0) await delay(lookEveryMs);
  }

  async #list(type: ResourceType, app: string): Promise<readonly AnyObject[]> {
    const scope = { namespace: this.#namespace, labelSelector: `app=${app}` };
    return (await this.#client.resource<AnyObject>(type).list(scope)).items;
  }

  async #ask(cluster: string, method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
    const service = { namespace: this.#namespace, name: `${cluster}-rest` };
    const headers = { 'content-type': 'application/json' };
    const request = {
      method,
      scheme: 'http',
      port: 'rest',
      path,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    } as const;
    const { status, body: answer } = await this.#client.resource(kinds.services).proxy(service, request);
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    return JSON.parse(text);
  }
}

interface Overview {
  readonly jobs?: readonly { readonly tasks: { readonly total: number; readonly running: number } }[];
}

interface Savepoint {
  readonly operation?: { readonly location?: string; readonly 'failure-cause'?: unknown } | null;
}

/** Without what the server and its controllers have added. */
function bare(type: ResourceType, { metadata, ...rest }: AnyObject): object {
  const { name: of = '', namespace = '', labels = {}, annotations = {} } = metadata;
  const { status: _, ...object } = rest as AnyObject & { readonly status?: unknown };
  const { clusterIP, clusterIPs: __, ...spec } = (object.spec ?? {}) as Record<string, unknown>;
  const headless = clusterIP === 'None' ? { clusterIP } : {};
  return {
    ...object,
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name: of, namespace, labels, annotations },
    ...('spec' in object && { spec: { ...spec, ...headless } }),
  };
}
