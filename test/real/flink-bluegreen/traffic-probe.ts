import { request } from 'node:http';
import type { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';

/** Twenty times a second. */
const EVERY_MS = 50;
/** A JobManager that shares two cores with one that starts may think for a while. */
const LIMIT_MS = 10_000;

/** What became of all requests so far. */
export interface Traffic {
  readonly requests: number;
  /** Requests by the Service that the Ingress named. */
  readonly by: Readonly<Record<string, number>>;
  /** What went wrong: when, in ISO 8601, and what. */
  readonly failures: readonly string[];
}

/**
 * Asks for the jobs of whatever the Ingress names: where that is, is found out anew for each request, as a client would
 * that keeps nothing. A request fails when it is not answered with a running job.
 */
export class TrafficProbe {
  readonly #client: Client;
  readonly #ingress: { readonly namespace: string; readonly name: string };
  readonly #failures: string[] = [];
  readonly #by: Record<string, number> = {};
  readonly #underWay = new Set<Promise<void>>();
  #requests = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(client: Client, ingress: { readonly namespace: string; readonly name: string }) {
    this.#client = client;
    this.#ingress = ingress;
  }

  /** Does nothing when it runs already. */
  start(): void {
    this.#timer ??= setInterval(() => {
      const asked = this.#ask().finally(() => this.#underWay.delete(asked));
      this.#underWay.add(asked);
    }, EVERY_MS);
  }

  /** No more requests; those under way are waited for. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await Promise.all(this.#underWay);
  }

  get traffic(): Traffic {
    return { requests: this.#requests, by: this.#by, failures: this.#failures };
  }

  async #ask(): Promise<void> {
    const at = new Date().toISOString();
    this.#requests += 1;
    let named = 'no Service';
    try {
      const ingress = await this.#client.resource<AnyObject>(kinds.ingresses).get(this.#ingress);
      const { name, port } = backendOf(ingress);
      named = name;
      const { namespace } = this.#ingress;
      const { spec } = await this.#client.resource<AnyObject>(kinds.services).get({ namespace, name });
      const jobs = await jobsAt((spec as { readonly clusterIP: string }).clusterIP, port);
      this.#by[name] = (this.#by[name] ?? 0) + 1;
      if (!jobs.some(({ state }) => state === 'RUNNING')) throw new Error(`no job runs: ${JSON.stringify(jobs)}`);
    } catch (error) {
      this.#failures.push(`${at} ${named}: ${error}`);
    }
  }
}

/** The Service behind an Ingress of one rule. */
export function backendOf({ spec }: AnyObject): { readonly name: string; readonly port: number } {
  const { rules = [] } = (spec ?? {}) as IngressSpec;
  const [service, ...more] = rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend.service));
  if (service === undefined || more.length > 0) throw new Error(`not one Service: ${JSON.stringify(spec)}`);
  return { name: service.name, port: service.port?.number ?? 8081 };
}

interface IngressSpec {
  readonly rules?: readonly {
    readonly http?: {
      readonly paths: readonly {
        readonly backend: {
          readonly service?: { readonly name: string; readonly port?: { readonly number?: number } };
        };
      }[];
    };
  }[];
}

interface Job {
  readonly jid: string;
  readonly state: string;
}

/** On a connection of its own: a kept one would hide that nobody answers any more. */
function jobsAt(host: string, port: number): Promise<readonly Job[]> {
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, path: '/jobs/overview', agent: false, timeout: LIMIT_MS }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode !== 200) reject(new Error(`${answer.statusCode} ${text.slice(0, 200)}`));
        else resolve((JSON.parse(text) as { readonly jobs: readonly Job[] }).jobs);
      });
    });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${LIMIT_MS / 1000} s`)));
    asked.on('error', reject).end();
  });
}
