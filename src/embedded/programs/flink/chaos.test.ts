import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../clock/random.ts';
import { seen } from './counting.ts';
import { TestFlink } from './test-flink.ts';

const jobId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const interval = 5;
const rate = 10;

describe('a highly available job', () => {
  it.each([1, 2, 3])(
    'loses no record whatever dies, and repeats no more than its checkpoints allow (seed %i)',
    async (seed) => {
      const flink = await TestFlink.start();
      const random = seededRandom(seed);
      await flink.deploy({
        name: 'app',
        configuration: {
          '$internal.pipeline.job-id': jobId,
          'execution.checkpointing.interval': `${interval} s`,
          'state.checkpoints.dir': 's3://bucket/cp',
          'state.savepoints.dir': 's3://bucket/sp',
          'high-availability.type': 'kubernetes',
          'high-availability.storageDir': 's3://bucket/ha',
        },
      });
      const kill = async (component: 'jobmanager' | 'taskmanager', grace?: number): Promise<void> => {
        const pods = flink.pods('app', component);
        const pod = pods[Math.floor(random.next() * pods.length)];
        const body = grace === undefined ? undefined : { gracePeriodSeconds: grace };
        if (pod) await flink.kube('DELETE', `/api/v1/namespaces/ns01/pods/${pod.metadata.name}`, body);
      };
      const deeds = [
        () => kill('jobmanager', 0),
        () => kill('jobmanager'),
        () => kill('taskmanager', 0),
        () => kill('taskmanager'),
        () => flink.rest('app', 'POST', `/jobs/${jobId}/savepoints`, {}),
        () => flink.rest('app', 'POST', `/jobs/${jobId}/checkpoints`, {}),
      ];
      for (let step = 0; step < 15; step++) {
        await deeds[Math.floor(random.next() * deeds.length)]?.();
        await flink.clock.advance(Math.round(random.next() * 40_000));
      }
      await flink.clock.advance(60_000);
      await flink.job('app', 'RUNNING');

      const runs = flink.runs('app');
      expect(runs.length).toBeGreaterThan(3);
      expect(flink.audit('app').lost).toEqual([]);
      runs.forEach((run, at) => {
        const before = runs[at - 1];
        if (before) expect(before.to - run.from).toBeLessThanOrEqual((interval + 1) * rate);
        expect(run.state.counts).toEqual([0, 1, 2, 3].map((key) => seen(run.to, key, 4)));
      });
      expect(flink.troubles).toEqual([]);
      await flink.close();
    },
  );
});
