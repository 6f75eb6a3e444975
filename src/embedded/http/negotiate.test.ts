import { describe, expect, it } from 'vitest';
import { negotiate } from './negotiate.ts';

describe('what a client accepts', () => {
  it.each([
    [undefined, 'json object'],
    ['*/*', 'json object'],
    ['application/json, */*', 'json object'],
    ['application/yaml', 'yaml object'],
    ['application/vnd.kubernetes.protobuf,application/json', 'json object'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'json table'],
    ['application/json;as=Frame;v=v1;g=meta.k8s.io,application/json', 'json object'],
    ['application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', 'json metadata'],
  ])('%s', (accept, wanted) => {
    const { format, as } = negotiate(accept);
    expect(`${format} ${as}`).toBe(wanted);
  });

  it('is refused when nothing of it can be had', () => {
    expect(() => negotiate('text/html, image/*')).toThrow(/406: Not Acceptable/);
  });
});
