import { describe, expect, it } from 'vitest';
import { chosenFamilies } from './chosen-families.ts';

const all = ['flink.apache.org', 'korifi.cloudfoundry.org', 'kudo.dev', 'apps'];

describe('the families that run', () => {
  it('are those that were asked for, installed or not', () => {
    expect(chosenFamilies({ asked: ['kudo'], served: [], namespaces: [] })).toEqual({ families: ['kudo'] });
  });

  it('are those whose definitions are installed, and all when none is', () => {
    const choice = { asked: [], namespaces: [] };
    expect(chosenFamilies({ ...choice, served: ['kudo.dev'] })).toEqual({ families: ['kudo'] });
    expect(chosenFamilies({ ...choice, served: ['apps'] })).toEqual({ families: ['flink', 'cloudfoundry', 'kudo'] });
  });

  it('do not include Cloud Foundry in some namespaces only, which is refused or told', () => {
    const namespaces = ['team-a'];
    expect(chosenFamilies({ asked: ['flink', 'cloudfoundry'], served: all, namespaces })).toEqual({
      refused: expect.stringContaining('Cloud Foundry cannot be run with --watch-namespace'),
    });
    expect(chosenFamilies({ asked: [], served: all, namespaces })).toEqual({
      families: ['flink', 'kudo'],
      left: expect.stringContaining('Cloud Foundry'),
    });
    expect(chosenFamilies({ asked: [], served: [], namespaces })).toEqual({ families: ['flink', 'kudo'] });
  });
});
