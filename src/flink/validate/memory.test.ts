import { describe, expect, it } from 'vitest';
import { validateDeployment } from './deployment.ts';
import { deployment, type Edits, edited, operator } from './example.fixture.ts';

const conf = (key: string): string => `spec.flinkConfiguration[${key}]`;

function fields(edits: Edits): string[] {
  return validateDeployment(edited(deployment, edits), { operator }).map(({ field, rule }) => `${rule} ${field}`);
}

describe('memory that is too small', () => {
  it('is found wherever it is said', () => {
    const none = { 'spec.jobManager.resource': undefined };
    expect(fields({ 'spec.jobManager.resources.requests.memory': '500Mi' })).toEqual([
      'jobmanager-memory-fit spec.jobManager.resources.requests.memory',
    ]);
    expect(fields({ 'spec.jobManager.resources.limits.memory': '500Mi' })).toEqual([
      'jobmanager-memory-fit spec.jobManager.resources.limits.memory',
    ]);
    expect(fields({ ...none, [conf('jobmanager.memory.process.size')]: '500m' })).toEqual([
      `jobmanager-memory-fit ${conf('jobmanager.memory.process.size')}`,
    ]);
    expect(
      fields({ 'spec.jobManager.resource.memory': '100m', 'spec.jobManager.resources.requests.memory': '1Gi' }),
    ).toEqual([]);
  });

  it('is enough once its parts are made smaller', () => {
    const small = {
      'spec.jobManager.resource.memory': '304m',
      [conf('jobmanager.memory.jvm-metaspace.size')]: '96m',
      [conf('jobmanager.memory.off-heap.size')]: '32m',
      [conf('jobmanager.memory.jvm-overhead.min')]: '64m',
      'spec.taskManager.resource.memory': '288m',
      [conf('taskmanager.memory.managed.size')]: '0',
      [conf('taskmanager.memory.network.min')]: '16m',
      [conf('taskmanager.memory.network.max')]: '16m',
      [conf('taskmanager.memory.framework.heap.size')]: '48m',
      [conf('taskmanager.memory.framework.off-heap.size')]: '48m',
      [conf('taskmanager.memory.jvm-metaspace.size')]: '88m',
      [conf('taskmanager.memory.jvm-overhead.min')]: '64m',
    };
    expect(fields(small)).toEqual([]);
    expect(fields({ ...small, [conf('taskmanager.memory.managed.size')]: '64m' })).toEqual([
      'taskmanager-memory-fit spec.taskManager.resource.memory',
    ]);
  });

  it('is left to those who lay it out themselves', () => {
    expect(fields({ 'spec.jobManager.resource.memory': '90m', [conf('jobmanager.memory.heap.size')]: '64m' })).toEqual(
      [],
    );
    expect(
      fields({ 'spec.taskManager.resource.memory': '90m', [conf('taskmanager.memory.flink.size')]: '64m' }),
    ).toEqual([]);
  });

  it('counts managed memory as a part of what the JVM leaves', () => {
    const fraction = (value: string): Edits => ({
      'spec.taskManager.resource.memory': '1g',
      [conf('taskmanager.memory.managed.fraction')]: value,
    });
    expect(fields(fraction('0.4'))).toEqual([]);
    expect(fields(fraction('0.5'))).toEqual(['taskmanager-memory-fit spec.taskManager.resource.memory']);
  });
});
