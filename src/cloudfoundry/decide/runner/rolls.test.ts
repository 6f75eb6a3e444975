import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotations } from '../../keys.ts';
import { Cluster, type Kubernetes } from './cluster.fixture.ts';

/** Something that happens. */
type Event =
  | { readonly is: 'operate'; readonly most: number }
  | { readonly is: 'sync' }
  | { readonly is: 'tick'; readonly ordinal: number }
  | { readonly is: 'scale'; readonly instances: number }
  | { readonly is: 'deploy'; readonly broken: boolean; readonly maxInFlight: number; readonly canaries: number }
  | { readonly is: 'continue' }
  | { readonly is: 'update'; readonly preStopSeconds: number }
  | { readonly is: 'cancel' };

const often = (event: fc.Arbitrary<Event>, weight: number) => ({ arbitrary: event, weight });

const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    often(fc.record({ is: fc.constant('operate'), most: fc.constantFrom(0, 1, 2, 99, 99, 99) }), 6),
    often(fc.record({ is: fc.constant('sync') }), 6),
    often(fc.record({ is: fc.constant('tick'), ordinal: fc.nat(8) }), 14),
    often(fc.record({ is: fc.constant('scale'), instances: fc.nat(5) }), 2),
    often(
      fc.record({
        is: fc.constant('deploy'),
        broken: fc.boolean(),
        maxInFlight: fc.integer({ min: 1, max: 6 }),
        canaries: fc.constantFrom(0, 0, 0, 0, 1, 2),
      }),
      2,
    ),
    often(fc.record({ is: fc.constant('continue') }), 1),
    often(fc.record({ is: fc.constant('update'), preStopSeconds: fc.nat(9) }), 1),
    often(fc.record({ is: fc.constant('cancel') }), 1),
  ) as fc.Arbitrary<Event>,
  { minLength: 10, maxLength: 120 },
);

/** A cluster and a person who deploys, with what must never be the case. */
class Walk {
  readonly cluster: Cluster;
  /** As many are ready from now on, until somebody wants fewer. */
  #floor = 0;
  #next = 1;
  /** The last revision that was deployed to the end. */
  #previous = '0';

  constructor(kubernetes: Kubernetes, instances: number) {
    this.cluster = new Cluster(kubernetes, { instances });
    this.cluster.rest();
    this.judge();
  }

  judge = (): void => {
    const { cluster } = this;
    const { instances, version } = cluster.workload.spec;
    expect(cluster.ready, 'ready instances').toBeGreaterThanOrEqual(this.#floor);
    // Before Kubernetes has heard of a larger number, it keeps what it was told to keep.
    if (cluster.readyBelow(instances) && cluster.told >= instances) this.#floor = instances;
    expect(cluster.restarted, 'restarted for nothing').toEqual([]);
    const { status } = cluster.workload;
    if (status?.observedAppRev === version && !cluster.workload.spec.rollout) this.#previous = version;
  };

  judgeAtRest(): void {
    const { set, pods, workload } = this.cluster;
    const { instances, version } = workload.spec;
    expect(set?.spec?.replicas).toBe(instances);
    expect(set?.metadata.annotations).not.toHaveProperty(annotations.surge);
    expect([...pods.values()].map((pod) => pod.version)).toEqual(Array.from({ length: instances }, () => version));
    expect(workload.status).toMatchObject({ observedAppRev: version, actualInstances: instances });
    expect(this.cluster.operate().actions).toEqual([]);
  }

  happen(event: Event): void {
    const { cluster } = this;
    switch (event.is) {
      case 'operate':
        cluster.operate(event.most);
        break;
      case 'sync':
        cluster.sync();
        break;
      case 'tick':
        cluster.tick(event.ordinal);
        break;
      case 'scale':
        this.#floor = Math.min(this.#floor, event.instances);
        cluster.edit({ instances: event.instances });
        break;
      case 'deploy': {
        const version = String(this.#next++);
        if (event.broken) cluster.broken.add(version);
        const { maxInFlight, canaries } = event;
        cluster.edit({ version, rollout: { maxInFlight, ...(canaries > 0 && { canaries }) } });
        break;
      }
      case 'update':
        cluster.runner = { ...cluster.runner, preStopSeconds: event.preStopSeconds };
        break;
      case 'continue':
        cluster.edit({ rollout: { maxInFlight: 1 } });
        break;
      case 'cancel':
        cluster.edit({ version: this.#previous, rollout: { maxInFlight: 1 } });
        break;
    }
    this.judge();
  }
}

describe.each<Kubernetes>(['frees stuck pods', 'waits for stuck pods', 'one by one'])(
  'the runner on a Kubernetes: %s',
  (kubernetes) => {
    it('never has fewer ready instances than before, restarts nothing that did not change, and gets there', () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: 4 }), events, (instances, happenings) => {
          const walk = new Walk(kubernetes, instances);
          for (const event of happenings) walk.happen(event);
          const { cluster } = walk;
          if (cluster.broken.has(cluster.workload.spec.version)) walk.happen({ is: 'cancel' });
          walk.happen({ is: 'continue' });
          cluster.rest(walk.judge);
          walk.judgeAtRest();
        }),
        { numRuns: 150 },
      );
    });
  },
);
