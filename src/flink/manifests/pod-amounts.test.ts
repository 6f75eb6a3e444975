import { describe, expect, it } from 'vitest';
import { podAmounts } from './pod-amounts.ts';

describe('the disk of a pod', () => {
  const disk = (ephemeralStorage: string): unknown => podAmounts({ resource: { ephemeralStorage } }).others?.limits;

  it('is written as Kubernetes reads it, whichever notation it has', () => {
    const written = ['2Gi', '2G', '2g', '2048m', '2 gb', '1.5GiB', '1e9', '1024'].map(disk);
    const bytes = ['2Gi', '2G', '2147483648', '2147483648', '2147483648', '1610612736', '1e9', '1024'];
    expect(written).toEqual(bytes.map((amount) => ({ 'ephemeral-storage': amount })));
  });

  it('is nobody’s business when nothing is said', () => {
    expect(podAmounts({ resource: { ephemeralStorage: ' ' } }).others).toBeUndefined();
    expect(podAmounts(undefined).others).toBeUndefined();
  });
});
