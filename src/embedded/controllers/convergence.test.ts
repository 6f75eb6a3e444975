import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Deployment, StatefulSet } from '../kinds/objects/workload.ts';
import { deployments, pods, replicaSets, statefulSets } from '../kinds/resource-types.ts';
import { conflict, StatusError } from '../status-error.ts';
import { isActive, isReady } from './pods.ts';
import { aDeployment, TestCluster } from './test-cluster.ts';

/** What may happen to a workload at any moment. */
const happening = fc.oneof(
  fc.record({ do: fc.constant('image' as const), version: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('scale' as const), replicas: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ do: fc.constant('kill' as const), pod: fc.nat(9) }),
  fc.record({ do: fc.constant('break' as const) }),
);
const story = fc.array(fc.record({ after: fc.integer({ min: 0, max: 4000 }), what: happening }), { maxLength: 8 });

type Workload = Deployment | StatefulSet;
const types = { Deployment: deployments, StatefulSet: statefulSets } as const;

async function live(
  cluster: TestCluster,
  kind: keyof typeof types,
  events: ReadonlyArray<{ after: number; what: unknown }>,
): Promise<void> {
  for (const { after, what } of events) {
    await cluster.world.clock.advance(after);
    const step = what as { do: string; version?: number; replicas?: number; pod?: number };
    const workload = cluster.get<Workload>(types[kind], 'web');
    const { template } = workload.spec;
    const withImage = (image: string, annotations?: Record<string, string>): Workload =>
      ({
        ...workload,
        spec: {
          ...workload.spec,
          template: {
            metadata: { labels: { app: 'web' }, ...(annotations && { annotations }) },
            spec: { ...template.spec, containers: [{ name: 'web', image }] },
          },
        },
      }) as Workload;
    const victim = cluster.pods()[(step.pod ?? 0) % Math.max(1, cluster.pods().length)];
    const attempt = async (): Promise<void> => {
      if (step.do === 'image') await cluster.world.update(types[kind], withImage(`web:${step.version}`));
      if (step.do === 'break')
        await cluster.world.update(types[kind], withImage('web:9', { 'embedded.cutover.dev/fail': 'never-ready' }));
      if (step.do === 'scale')
        await cluster.world.update(types[kind], {
          ...workload,
          spec: { ...workload.spec, replicas: step.replicas ?? 1 },
        } as Workload);
      if (step.do === 'kill' && victim) await cluster.world.remove(pods, victim);
    };
    await attempt().catch((error) => {
      if (!(error instanceof StatusError)) throw error;
    });
  }
}

/** Refuses every n-th write of the controllers, as if someone else had been faster. */
function disturb(cluster: TestCluster, every: number): void {
  let count = 0;
  cluster.world.beforeWrite = (write) => {
    if (!write.includes('events') && ++count % every === 0)
      throw conflict({ group: '', plural: 'things', name: 'x' }, 'faster');
  };
}

describe('a seed', () => {
  it('replays everything, write by write', async () => {
    const writesOf = async (seed: number): Promise<readonly string[]> => {
      const cluster = new TestCluster(seed);
      await cluster.world.create(deployments, aDeployment('web', { replicas: 3 }));
      await cluster.run(3000);
      await live(cluster, 'Deployment', [{ after: 0, what: { do: 'image', version: 2 } }]);
      await cluster.run(60_000);
      cluster.stop();
      return cluster.world.writes;
    };
    const first = await writesOf(7);
    expect(await writesOf(7)).toEqual(first);
    expect(await writesOf(8)).not.toEqual(first);
  });
});

describe('whatever happens to a workload', () => {
  it('a Deployment comes to rest with exactly the pods it asks for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1e6 }),
        story,
        fc.integer({ min: 3, max: 20 }),
        async (seed, events, every) => {
          const cluster = new TestCluster(seed);
          try {
            await cluster.world.clock.advance(10);
            await cluster.world.create(deployments, aDeployment('web', { replicas: 3 }));
            disturb(cluster, every);
            await live(cluster, 'Deployment', events);
            cluster.world.beforeWrite = () => {};
            const last = cluster.get<Deployment>(deployments, 'web');
            const broken = last.spec.template.metadata?.annotations !== undefined;
            await cluster.run(300_000);
            const { spec, status = {}, metadata } = cluster.get<Deployment>(deployments, 'web');
            expect(status.observedGeneration).toBe(metadata.generation);
            const active = cluster.pods().filter(isActive);
            if (broken) {
              expect(active.filter(isReady).length).toBeLessThanOrEqual(spec.replicas ?? 1);
              return;
            }
            expect(active).toHaveLength(spec.replicas ?? 1);
            expect(active.every(isReady)).toBe(true);
            expect(
              active.every((pod) => pod.spec.containers[0]?.image === spec.template.spec.containers[0]?.image),
            ).toBe(true);
            expect(status.updatedReplicas ?? 0).toBe(spec.replicas);
            expect(cluster.world.list(replicaSets).length).toBeLessThanOrEqual(6);
            const writes = cluster.world.writes.length;
            await cluster.run(3_600_000);
            expect(cluster.world.writes.slice(writes)).toEqual([]);
          } finally {
            cluster.stop();
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('a StatefulSet comes to rest with exactly the pods it asks for', async () => {
    const gentle = story.map((events) => events.filter(({ what }) => what.do !== 'break'));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1e6 }),
        gentle,
        fc.integer({ min: 3, max: 20 }),
        async (seed, events, every) => {
          const cluster = new TestCluster(seed);
          try {
            await cluster.world.clock.advance(10);
            const { spec: shape, metadata } = aDeployment('web');
            const set = {
              apiVersion: 'apps/v1',
              kind: 'StatefulSet',
              metadata,
              spec: { ...shape, replicas: 3, serviceName: 'web' },
            };
            await cluster.world.create(statefulSets, set as StatefulSet);
            disturb(cluster, every);
            await live(cluster, 'StatefulSet', events);
            cluster.world.beforeWrite = () => {};
            await cluster.run(300_000);
            const { spec, status } = cluster.get<StatefulSet>(statefulSets, 'web');
            const names = cluster
              .pods()
              .filter((pod) => isActive(pod) && isReady(pod))
              .map((pod) => pod.metadata.name);
            expect(names).toEqual(Array.from({ length: spec.replicas ?? 1 }, (_, index) => `web-${index}`));
            expect(status?.updatedReplicas ?? 0).toBe(spec.replicas);
            if (spec.replicas) expect(status?.currentRevision).toBe(status?.updateRevision);
          } finally {
            cluster.stop();
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
