import { describe, expect, it } from 'vitest';
import { canonicalView } from './canonical-view.ts';
import { clusterInfo } from './cluster-info.ts';
import { application } from './model/specs.fixture.ts';

const { rest } = canonicalView({}, (spec) => spec);
const told = <T>(value: T) => ({ at: 0, value });

describe('what is told of a cluster', () => {
  it('is what the recordings of the Java operator have', () => {
    const version = told({ version: '1.20.5', revision: '0980485 @ 2026-06-08T09:21:06+02:00' });
    const known = { ...rest, version, taskManagers: told(1) };
    expect(clusterInfo(undefined, known, application('stateless'), new Map())).toEqual({
      'flink-version': '1.20.5',
      'flink-revision': '0980485 @ 2026-06-08T09:21:06+02:00',
      'total-cpu': '1.5',
      'total-memory': '3221225472',
      'state-size': '1',
    });
  });

  it('stays as it was where nothing is known', () => {
    const silent = { ...rest, job: { ...rest.job, checkpoints: undefined } };
    expect(clusterInfo({ 'total-cpu': '7.0' }, silent, application('stateless'), new Map())).toEqual({
      'total-cpu': '7.0',
    });
  });

  it('adds up what the configuration says where the spec says nothing', () => {
    const { jobManager: _j, taskManager: _t, ...spec } = application('stateless');
    const config = new Map([
      ['jobmanager.memory.process.size', '1g'],
      ['taskmanager.memory.process.size', '2g'],
      ['taskmanager.numberOfTaskSlots', '4'],
    ]);
    const known = { ...rest, taskManagers: told(2) };
    expect(clusterInfo(undefined, known, spec, config)).toMatchObject({
      'total-cpu': '9.0',
      'total-memory': '5368709120',
    });
  });
});
