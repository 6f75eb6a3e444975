import { describe, expect, it } from 'vitest';
import type { CfProcessSpec } from '../../resources/cf-process.ts';
import { processPatch } from './process-patch.ts';

const spec: CfProcessSpec = {
  appRef: { name: 'app' },
  processType: 'web',
  desiredInstances: 1,
  memoryMB: 1024,
  diskQuotaMB: 512,
  command: 'run',
  healthCheck: { type: 'port', data: { invocationTimeoutSeconds: 0, timeoutSeconds: 60 } },
};

describe('what a manifest changes of a process', () => {
  it('is nothing when all is so already', () => {
    expect(processPatch(spec, { type: 'web' })).toBeUndefined();
    expect(
      processPatch(spec, {
        type: 'web',
        command: 'run',
        instances: 1,
        memoryMB: 1024,
        diskQuotaMB: 512,
        healthCheck: { type: 'port', timeout: 60 },
      }),
    ).toBeUndefined();
  });

  it('is only what differs', () => {
    expect(processPatch(spec, { type: 'web', instances: 0, memoryMB: 1024, command: '' })).toEqual({
      spec: { desiredInstances: 0, command: null },
    });
  });

  it('gives a check by HTTP an endpoint, and takes it away with the check', () => {
    expect(processPatch(spec, { type: 'web', healthCheck: { type: 'http' } })).toEqual({
      spec: { healthCheck: { type: 'http', data: { httpEndpoint: '/' } } },
    });
    const http: CfProcessSpec = { ...spec, healthCheck: { type: 'http', data: { httpEndpoint: '/ready' } } };
    expect(processPatch(http, { type: 'web', healthCheck: { type: 'http' } })).toBeUndefined();
    expect(processPatch(http, { type: 'web', healthCheck: { type: 'process' } })).toEqual({
      spec: { healthCheck: { type: 'process', data: { httpEndpoint: null } } },
    });
  });
});
