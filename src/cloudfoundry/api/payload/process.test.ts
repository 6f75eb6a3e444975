import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { CfError } from '../cf-error.ts';
import { newBuild } from './build.ts';
import { parsePayload } from './parse-body.ts';
import { changedProcess, scale } from './process.ts';
import { newTask } from './task.ts';

function refused(body: unknown, schema: z.ZodType): string | undefined {
  try {
    parsePayload(body, schema);
    return undefined;
  } catch (error) {
    return error instanceof CfError ? `${error.status} ${error.detail}` : String(error);
  }
}

describe('sizes', () => {
  it.each<[object, string | undefined]>([
    [{ instances: 0 }, undefined],
    [{ instances: 5000, memory_in_mb: 2 ** 31 - 1 }, undefined],
    [{ instances: -1 }, '422 instances must be 0 or greater'],
    [{ instances: 5001 }, '422 instances must be 5000 or less'],
    [{ instances: 2 ** 31 - 1 }, '422 instances must be 5000 or less'],
    [{ instances: 1.5 }, '422 Instances must be a int32'],
    [{ memory_in_mb: 2 ** 31 }, '422 memory_in_mb must be 2147483647 or less'],
    [{ disk_in_mb: 0 }, '422 disk_in_mb must be greater than 0'],
  ])('of a process: %j', (body, detail) => {
    expect(refused(body, scale)).toBe(detail);
  });

  it('of tasks and builds are as great as Kubernetes can keep them', () => {
    const most = 'must be 2147483647 or less';
    expect(refused({ command: 'c', memory_in_mb: 2 ** 31 }, newTask)).toBe(`422 memory_in_mb ${most}`);
    expect(refused({ command: 'c', disk_in_mb: 2 ** 31 }, newTask)).toBe(`422 disk_in_mb ${most}`);
    const build = { package: { guid: 'p' } };
    expect(refused({ ...build, staging_memory_in_mb: 2 ** 31 }, newBuild)).toBe(`422 staging_memory_in_mb ${most}`);
    expect(refused({ ...build, staging_disk_in_mb: 2 ** 31 }, newBuild)).toBe(`422 staging_disk_in_mb ${most}`);
  });
});

describe('the path of a health check', () => {
  const checked = (endpoint: unknown) => ({ health_check: { type: 'http', data: { endpoint } } });
  const why = '422 health_check.data.endpoint must begin with a slash, and must not contain control characters';

  it.each(['/', '/health?deep=true', '/ä', null])('may be %j', (endpoint) => {
    expect(refused(checked(endpoint), changedProcess)).toBeUndefined();
  });

  it.each(['', 'health', 'http://host/', '/a\r\nHost: b', '/\0', '/\u007f', '/\u0085'])('may not be %j', (endpoint) => {
    expect(refused(checked(endpoint), changedProcess)).toBe(why);
  });
});
