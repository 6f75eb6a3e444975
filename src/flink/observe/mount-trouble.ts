import type { Clock } from '../../clock/clock.ts';
import type { Outside } from '../../control/outside.ts';
import type { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import type { PodFailure } from '../view.ts';
import type { KubeEvent, Pod } from './kube-shapes.ts';
import { isStuck } from './pod-seen.ts';
import { instantOf } from './refs.ts';

interface Stuck {
  failure: PodFailure | undefined;
  cancel: () => void;
}

/** A pod is given this long to mount its volumes before anybody asks. */
const firstMs = 5_000;
const againMs = 10_000;

/**
 * Why a pod's volumes cannot be mounted: only events say that, and nobody watches all events of a cluster for it. While a
 * pod is stuck before its containers start, its own events are read now and then.
 */
export class MountTrouble implements Outside {
  readonly #client: Client;
  readonly #clock: Clock;
  /** By key, then by the uid of the pod. */
  readonly #stuck = new Map<string, ReadonlyMap<string, Stuck>>();
  #wake: ((key: string) => void) | undefined;

  constructor({ client, clock }: { readonly client: Client; readonly clock: Clock }) {
    this.#client = client;
    this.#clock = clock;
  }

  /** What is known of the volumes of these pods, by uid. Which of them are asked about follows from the pods. */
  look(key: string, pods: readonly Pod[]): ReadonlyMap<string, PodFailure> {
    const before = this.#stuck.get(key) ?? new Map<string, Stuck>();
    const after = new Map<string, Stuck>();
    for (const pod of pods) {
      const { uid = '' } = pod.metadata;
      if (isStuck(pod)) after.set(uid, before.get(uid) ?? this.#follow(key, pod));
    }
    for (const [uid, stuck] of before) if (!after.has(uid)) stuck.cancel();
    if (after.size > 0) this.#stuck.set(key, after);
    else this.#stuck.delete(key);
    return new Map([...after].flatMap(([uid, { failure }]) => (failure ? [[uid, failure]] : [])));
  }

  forget(key: string): void {
    for (const stuck of this.#stuck.get(key)?.values() ?? []) stuck.cancel();
    this.#stuck.delete(key);
  }

  listen(wake: (key: string) => void): () => void {
    this.#wake = wake;
    return () => {
      this.#wake = undefined;
      for (const key of [...this.#stuck.keys()]) this.forget(key);
    };
  }

  #follow(key: string, pod: Pod): Stuck {
    const stuck: Stuck = { failure: undefined, cancel: () => {} };
    this.#askLater(key, pod, stuck, firstMs);
    return stuck;
  }

  #askLater(key: string, pod: Pod, stuck: Stuck, ms: number): void {
    stuck.cancel = this.#clock.after(ms, async () => {
      const failure = await this.#ask(pod).catch(() => stuck.failure);
      if (this.#stuck.get(key)?.get(pod.metadata.uid ?? '') !== stuck) return;
      const news = failure?.message !== stuck.failure?.message;
      stuck.failure = failure;
      this.#askLater(key, pod, stuck, againMs);
      if (news) this.#wake?.(key);
    });
  }

  async #ask({ metadata: { namespace = '', uid = '' } }: Pod): Promise<PodFailure | undefined> {
    const { items } = await this.#client.resource<KubeEvent>(kinds.events).list({
      namespace,
      fieldSelector: { 'regarding.uid': uid, reason: 'FailedMount' },
      limit: 50,
    });
    const newest = items.toSorted((a, b) => at(b) - at(a))[0];
    return newest && { reason: 'FailedMount', container: undefined, message: newest.note ?? '' };
  }
}

function at({ eventTime, deprecatedLastTimestamp, metadata }: KubeEvent): number {
  return instantOf(deprecatedLastTimestamp ?? eventTime ?? metadata.creationTimestamp) ?? 0;
}
