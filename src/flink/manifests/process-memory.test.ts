import { describe, expect, it } from 'vitest';
import { flatConfig } from '../config/flink-config.ts';
import { jobManagerMemory, taskManagerMemory } from './process-memory.ts';

const megabytes = (bytes: number | undefined) => (bytes === undefined ? undefined : Math.floor(bytes / 2 ** 20));

/** The numbers are those of Flink 2.3.0's own calculation. */
describe('memory of a process', () => {
  it.each([
    [{ 'jobmanager.memory.process.size': '1400m' }, 1400],
    [{ 'jobmanager.memory.flink.size': '1800m' }, 2284],
    [{ 'jobmanager.memory.heap.size': '1g' }, 1600],
    [{ 'jobmanager.memory.flink.size': '20g' }, 21_760],
    [{ 'jobmanager.heap.size': '1500m' }, 2093],
    [{}, undefined],
  ])('JobManager: %j', (configuration, expected) => {
    expect(megabytes(jobManagerMemory(flatConfig(configuration)))).toBe(expected);
  });

  const large = { 'taskmanager.memory.task.heap.size': '20g', 'taskmanager.memory.managed.size': '6g' };

  it.each([
    [{ 'taskmanager.memory.process.size': '2g', 'taskmanager.memory.flink.size': '1g' }, 2048],
    [{ 'taskmanager.memory.flink.size': '1800m' }, 2284],
    [{ 'taskmanager.memory.task.heap.size': '700m', 'taskmanager.memory.managed.size': '600m' }, 2205],
    [{ ...large, '$internal.flink.version': 'v2_3' }, 31_146],
    [{ 'taskmanager.memory.task.heap.size': '700m' }, undefined],
  ])('TaskManager: %j', (configuration, expected) => {
    expect(megabytes(taskManagerMemory(flatConfig(configuration)))).toBe(expected);
  });

  it('limits network memory to a gigabyte before 1.17', () => {
    const old = flatConfig({ ...large, '$internal.flink.version': 'v1_16' });
    expect(megabytes(taskManagerMemory(old))).toBe(31_146 - (2986 - 1024));
  });
});
