import type { Client } from '../../../kube/client.ts';
import { isKubeError } from '../../../kube/error.ts';
import { kinds } from '../../../kube/kinds.ts';
import type { KubeObject } from '../../../kube/object.ts';
import type { Pod } from '../../kinds/objects/pod.ts';
import { Timers } from '../../nodes/timers.ts';
import type { Surroundings } from '../program.ts';
import { apiOf } from './config-maps.ts';
import type { Configuration } from './configuration.ts';
import type { TaskManagerPort } from './flink-world.ts';
import { taskManagerLabels, taskManagerPod } from './task-manager-pod.ts';
import type { Workers } from './workers.ts';

const retryMs = 3000;

type Log = (level: 'INFO' | 'WARN' | 'ERROR', text: string) => void;

/**
 * TaskManager pods that the JobManager makes itself, with its ServiceAccount: `C-taskmanager-<attempt>-<index>`, owned
 * by the JobManager's Deployment. Pods of an earlier JobManager are taken over. Whatever the API refuses is logged and
 * tried again; meanwhile there are no slots.
 */
export class NativeWorkers implements Workers {
  readonly #here: Surroundings;
  readonly #configuration: Configuration;
  readonly #client: Client;
  readonly #log: Log;
  readonly #timers: Timers;
  readonly #stop = new AbortController();
  /** Pods that exist or are being made, registered or not. */
  readonly #pods = new Set<string>();
  #attempt: number | undefined;
  #index = 0;
  #wanted = 0;
  #working = false;

  constructor(here: Surroundings, configuration: Configuration, log: Log) {
    this.#here = here;
    this.#configuration = configuration;
    this.#client = apiOf(here);
    this.#log = log;
    this.#timers = new Timers(here.clock);
    void this.#recover();
  }

  want(count: number): void {
    this.#wanted = count;
    void this.#make();
  }

  registered({ podName }: TaskManagerPort): void {
    this.#pods.add(podName);
  }

  lost({ podName }: TaskManagerPort): void {
    this.#gone(podName);
  }

  release({ podName }: TaskManagerPort): void {
    this.#pods.delete(podName);
    this.#log('INFO', `Stopping TaskManager pod ${podName}.`);
    void this.#remove(podName);
  }

  stop(): void {
    this.#timers.clear();
    this.#stop.abort();
  }

  get #namespace(): string {
    return this.#configuration.text('kubernetes.namespace') ?? this.#here.pod.metadata.namespace ?? '';
  }

  get #clusterId(): string {
    return this.#configuration.text('kubernetes.cluster-id') ?? '';
  }

  /** Pods that an earlier JobManager left are its own from now on, and what becomes of pods is watched. */
  async #recover(): Promise<void> {
    const scope = { namespace: this.#namespace, labelSelector: { matchLabels: taskManagerLabels(this.#clusterId) } };
    try {
      const list = await this.#client.resource<Pod>(kinds.pods).list(scope);
      if (this.#stop.signal.aborted) return;
      const attempts = list.items.map(({ metadata }) =>
        Number(/-taskmanager-(\d+)-\d+$/.exec(metadata.name ?? '')?.[1] ?? 0),
      );
      this.#attempt ??= Math.max(0, ...attempts) + 1;
      for (const pod of list.items) if (!isOver(pod)) this.#pods.add(pod.metadata.name ?? '');
      if (list.items.length > 0) this.#log('INFO', `Recovered ${this.#pods.size} pods from previous attempts.`);
      void this.#make();
      const { resourceVersion = '' } = list.metadata;
      const options = { ...scope, resourceVersion, allowWatchBookmarks: false, signal: this.#stop.signal };
      for await (const event of this.#client.resource<Pod>(kinds.pods).watch(options)) {
        if (event.type === 'DELETED' || (event.type === 'MODIFIED' && isOver(event.object))) {
          this.#gone(event.object.metadata.name ?? '');
        }
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      if (!isKubeError(error, 'gone')) this.#complain('Could not watch the TaskManager pods', error);
    }
    if (!this.#stop.signal.aborted) this.#timers.later(retryMs, () => void this.#recover());
  }

  #gone(podName: string): void {
    if (!this.#pods.delete(podName) || this.#stop.signal.aborted) return;
    this.#log('WARN', `TaskManager pod ${podName} is terminated.`);
    void this.#remove(podName);
    void this.#make();
  }

  /** Makes what is missing, one after the other. */
  async #make(): Promise<void> {
    if (this.#working || this.#attempt === undefined) return;
    this.#working = true;
    try {
      while (this.#pods.size < this.#wanted && !this.#stop.signal.aborted) {
        const name = `${this.#clusterId}-taskmanager-${this.#attempt}-${this.#index + 1}`;
        const owner = await this.#client
          .resource<KubeObject>(kinds.deployments)
          .get({ name: this.#clusterId, namespace: this.#namespace });
        const image = this.#here.container.image ?? '';
        const pod = taskManagerPod(this.#configuration, this.#here.files, name, image, {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: this.#clusterId,
          uid: owner.metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        });
        if (this.#stop.signal.aborted) return;
        this.#index += 1;
        this.#log('INFO', `Creating new TaskManager pod with name ${name}.`);
        await this.#client.resource<Pod>(kinds.pods).create(pod);
        this.#pods.add(name);
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#complain('Could not start TaskManager in a new pod', error);
      this.#timers.later(retryMs, () => void this.#make());
    } finally {
      this.#working = false;
    }
  }

  async #remove(name: string): Promise<void> {
    try {
      await this.#client.resource(kinds.pods).delete({ name, namespace: this.#namespace });
    } catch (error) {
      if (!isKubeError(error, 'not-found', 'aborted'))
        this.#complain(`Could not remove TaskManager pod ${name}`, error);
    }
  }

  #complain(what: string, error: unknown): void {
    this.#log('WARN', `${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const isOver = (pod: Pod): boolean => pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
