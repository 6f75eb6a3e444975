import type { Clock } from '../../clock/clock.ts';
import type { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { Refusal } from '../http/refusal.ts';
import type { Who } from '../login/who.ts';

/** What somebody would do, in RBAC's terms. */
export interface Question {
  readonly verb: 'list' | 'get' | 'patch' | 'create' | 'delete';
  readonly type: Pick<ResourceType, 'group' | 'plural'>;
  readonly subresource?: string;
  /** Absent: in all of them. */
  readonly namespace?: string;
}

export interface AccessOptions {
  /** The operator's own. */
  readonly client: Client;
  readonly clock: Clock;
  readonly who: Who;
  /** Asks again whether the person is still who they were; rejects with a `Refusal` when not. */
  readonly vouch: () => Promise<void>;
}

interface Decision {
  readonly allowed: boolean;
  readonly until: number;
}

interface Review extends KubeObject {
  readonly status?: { readonly allowed?: boolean };
}

/** For so long an answer is believed. */
export const believedMs = 5 * 60_000;
const mostAtOnce = 16;
const mostDecisions = 20_000;

/**
 * What one person may do, by the cluster's word. Each answer is believed for five minutes, and asked for again only when
 * somebody needs it: a dashboard on which nothing happens asks nothing. First it is asked about all namespaces at once, so
 * that an administrator costs one question per kind.
 *
 * Nothing is allowed by default: what could not be asked is refused.
 */
export class Access {
  readonly #options: AccessOptions;
  readonly #decisions = new Map<string, Decision>();
  readonly #asking = new Map<string, Promise<boolean>>();
  readonly #line: (() => void)[] = [];
  #atOnce = 0;
  #vouched: number;
  #vouching: Promise<void> | undefined;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#vouched = options.clock.monotonic();
  }

  /** What is known without asking; `undefined`: nothing that is still to be believed. */
  known(question: Question): boolean | undefined {
    const everywhere = this.#fresh({ ...question, namespace: undefined });
    if (everywhere === true || question.namespace === undefined) return everywhere;
    return everywhere === undefined ? undefined : this.#fresh(question);
  }

  /** @throws Refusal 401 when the person is nobody any more, 503 when the cluster cannot be asked */
  async may(question: Question): Promise<boolean> {
    const known = this.known(question);
    if (known !== undefined) return known;
    await this.#stillThere();
    const { namespace: _, ...everywhere } = question;
    if (await this.#decide(everywhere)) return true;
    return question.namespace === undefined ? false : this.#decide(question);
  }

  #fresh(question: Asks): boolean | undefined {
    const decision = this.#decisions.get(keyOf(question));
    return decision && this.#options.clock.monotonic() < decision.until ? decision.allowed : undefined;
  }

  #stillThere(): Promise<void> {
    const { clock, vouch } = this.#options;
    if (clock.monotonic() - this.#vouched < believedMs) return Promise.resolve();
    this.#vouching ??= vouch()
      .then(() => {
        this.#vouched = clock.monotonic();
      })
      .finally(() => {
        this.#vouching = undefined;
      });
    return this.#vouching;
  }

  /** Whoever asks the same meanwhile waits for the same answer. */
  #decide(question: Question): Promise<boolean> {
    const fresh = this.#fresh(question);
    if (fresh !== undefined) return Promise.resolve(fresh);
    const key = keyOf(question);
    const same = this.#asking.get(key);
    if (same) return same;
    const asking = this.#turn(() => this.#ask(question)).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking.then((allowed) => {
      this.#decisions.delete(key);
      this.#decisions.set(key, { allowed, until: this.#options.clock.monotonic() + believedMs });
      for (const oldest of this.#decisions.keys()) {
        if (this.#decisions.size <= mostDecisions) break;
        this.#decisions.delete(oldest);
      }
      return allowed;
    });
  }

  async #ask({ verb, type, subresource, namespace }: Question): Promise<boolean> {
    const { client, who } = this.#options;
    const { name, uid, groups, extra } = who;
    const { group, plural } = type;
    const review = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: {
        user: name,
        groups,
        ...(uid && { uid }),
        ...(extra && { extra }),
        resourceAttributes: {
          verb,
          group,
          resource: plural,
          ...(subresource && { subresource }),
          ...(namespace !== undefined && { namespace }),
        },
      },
    };
    try {
      const { status } = await client.resource<Review>(kinds.subjectAccessReviews).create(review as Review);
      return status?.allowed === true;
    } catch {
      throw new Refusal(503, 'The cluster cannot be asked what you may see right now. Try again in a moment.');
    }
  }

  async #turn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#atOnce >= mostAtOnce) await new Promise<void>((resolve) => this.#line.push(resolve));
    else this.#atOnce++;
    try {
      return await work();
    } finally {
      const next = this.#line.shift();
      if (next) next();
      else this.#atOnce--;
    }
  }
}

type Asks = Omit<Question, 'namespace'> & { readonly namespace?: string | undefined };

function keyOf({ verb, type, subresource = '', namespace = '' }: Asks): string {
  return `${verb} ${type.plural}.${type.group}/${subresource} ${namespace}`;
}
