import { createHash } from 'node:crypto';
import { type FlinkDeployment, flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { type FlinkStateSnapshot, flinkStateSnapshot } from '../../src/flink/resources/flink-state-snapshot.ts';
import type { Client } from '../../src/kube/client.ts';
import { follow } from './follow.ts';

type Status = NonNullable<FlinkDeployment['status']>;

/**
 * Plays the operator of FlinkDeployments and FlinkStateSnapshots: savepoints are complete at once, clusters are made at
 * once, and their jobs run when they are told to. So nothing but the blue/green controller takes time.
 */
export class Stagehand {
  readonly #client: Client;
  /** The sides that are there, by name. */
  readonly #sides = new Map<string, FlinkDeployment>();
  /** Uids of whatever it has dealt with: objects are shown again with every change. */
  readonly #begun = new Set<string>();

  constructor(client: Client, scope: { readonly namespace: string; readonly signal: AbortSignal }) {
    this.#client = client;
    void follow<FlinkStateSnapshot>(client, flinkStateSnapshot.type, scope, (one) => void this.#save(one));
    void follow<FlinkDeployment>(client, flinkDeployment.type, scope, (one, isGone) => void this.#make(one, isGone));
  }

  /** Whether the cluster of a side has been made. */
  has(name: string): boolean {
    return this.#sides.has(name);
  }

  /** The job of a side runs. Resolves with the instant at which the server has taken note of it. */
  async stable(name: string): Promise<number> {
    const side = this.#sides.get(name);
    if (!side) throw new Error(`there is no side ${name}`);
    await this.#tell(side, running(side));
    return performance.now();
  }

  async #make(side: FlinkDeployment, isGone: boolean): Promise<void> {
    const { name = '', uid = '', deletionTimestamp } = side.metadata;
    if (isGone || deletionTimestamp !== undefined) {
      if (this.#sides.get(name)?.metadata.uid === uid) this.#sides.delete(name);
    } else if (!this.#begun.has(uid)) {
      this.#begun.add(uid);
      await this.#tell(side, deployed(side));
      this.#sides.set(name, side);
    }
  }

  async #save({ metadata: { namespace = '', name = '', uid = '' } }: FlinkStateSnapshot): Promise<void> {
    if (this.#begun.has(uid)) return;
    this.#begun.add(uid);
    const status = { state: 'COMPLETED', triggerId: hex(name), path: `s3://bench/savepoints/${name}` };
    const snapshots = this.#client.resource(flinkStateSnapshot.type);
    await snapshots.status.patch({ namespace, name }, { type: 'merge', body: { status } });
  }

  async #tell({ metadata: { namespace = '', name = '' } }: FlinkDeployment, status: Status): Promise<void> {
    const sides = this.#client.resource(flinkDeployment.type);
    await sides.status.patch({ namespace, name }, { type: 'merge', body: { status } });
  }
}

/** What an operator of FlinkDeployments says once the cluster is made. */
function deployed({ metadata, spec }: FlinkDeployment): Status {
  const lastReconciledSpec = JSON.stringify({ spec, resource_metadata: { apiVersion: 'flink.apache.org/v1beta1' } });
  return {
    jobStatus: { jobId: hex(metadata.uid ?? ''), state: 'RECONCILING' },
    jobManagerDeploymentStatus: 'DEPLOYING',
    lifecycleState: 'DEPLOYED',
    reconciliationStatus: { state: 'DEPLOYED', lastReconciledSpec },
    observedGeneration: metadata.generation ?? 1,
  };
}

/** And once its job runs. */
function running(side: FlinkDeployment): Status {
  const before = deployed(side);
  const jobStatus = { ...before.jobStatus, jobName: 'count', state: 'RUNNING' as const };
  return { ...before, jobStatus, jobManagerDeploymentStatus: 'READY', lifecycleState: 'STABLE' };
}

function hex(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
