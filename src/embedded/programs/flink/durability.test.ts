import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestFlink } from './test-flink.ts';

const jobId = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';

describe('a Flink cluster in a durable embedded cluster', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'cutover-flink-'));
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  it('goes on from its last checkpoint after the whole process has ended', async () => {
    const first = await TestFlink.start({ data });
    await first.deploy({
      name: 'app',
      configuration: {
        '$internal.pipeline.job-id': jobId,
        'execution.checkpointing.interval': '10 s',
        'state.checkpoints.dir': 's3://bucket/cp',
        'high-availability.type': 'kubernetes',
        'high-availability.storageDir': 's3://bucket/ha',
      },
    });
    await first.job('app', 'RUNNING');
    await first.clock.advance(45_000);
    await first.close();

    const second = await TestFlink.open({ clock: first.clock, data });
    await second.job('app', 'RUNNING');
    const { body } = await second.rest('app', 'GET', `/jobs/${jobId}/checkpoints`);
    expect(body.latest.restored.external_path).toBe(`s3://bucket/cp/${jobId}/chk-4`);
    expect([...first.troubles, ...second.troubles]).toEqual([]);
    await second.close();
  });
});
