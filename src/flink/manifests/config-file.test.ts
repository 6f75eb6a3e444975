import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { flatConfig } from '../config/flink-config.ts';
import { configFile } from './config-file.ts';

describe('the configuration file of Flink 1.x', () => {
  it('has a line per key, in the order of keys', () => {
    expect(configFile(flatConfig({ b: 'x: y', a: { c: 1 } }), 'v1_20', [])).toEqual({
      name: 'flink-conf.yaml',
      text: 'a.c: 1\nb: x: y\n',
    });
  });

  it('cannot have a value of several lines, which would become other keys', () => {
    expect(configFile(flatConfig({ a: 'one\nkubernetes.namespace: theirs' }), 'v1_18', [])).toEqual({
      problem: expect.stringMatching(/^flinkConfiguration: a has several lines.*; write it otherwise$/),
    });
    expect(configFile(flatConfig({ a: 'one\n' }), 'v1_18', [])).toMatchObject({ text: 'a: one\n' });
  });

  it('does not lose arguments of the job after #', () => {
    const config = flatConfig({ '$internal.application.program-args': '--colour;#fff;--rate;5' });
    expect(configFile(config, 'v1_18', ['--colour', '#fff', '--rate', '5'])).toEqual({
      problem: expect.stringContaining('spec.job.args: an argument contains #'),
    });
  });

  it.each(['one # two', 'one\ntwo'])('is YAML where Flink reads that and a line could not hold "%s"', (value) => {
    for (const version of ['v1_19', 'v1_20']) {
      const file = configFile(flatConfig({ a: value }), version, []);
      expect(file).toMatchObject({ name: 'config.yaml' });
      expect('text' in file && parse(file.text)).toEqual({ a: value });
    }
  });
});

describe('the configuration file of Flink 2.x', () => {
  it('is YAML that says exactly what the configuration says', () => {
    const key = fc.array(fc.stringMatching(/^[a-zA-Z$][\w$ :#-]{0,8}$/), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(key, fc.string()), { selector: ([[first]]) => first }), (entries) => {
        const config = new Map(entries.map(([path, value]) => [path.join('.'), value]));
        const file = configFile(config, 'v2_0', []);
        if ('problem' in file) throw new Error(file.problem);
        const flat = flatConfig(parse(file.text));
        expect(Object.fromEntries(flat)).toEqual(Object.fromEntries(config));
      }),
    );
  });

  it('writes the arguments of the job as a list', () => {
    const file = configFile(flatConfig({ '$internal.application.program-args': 'x' }), 'v2_0', ['x;', "'y"]);
    expect('text' in file && parse(file.text)).toEqual({
      $internal: { application: { 'program-args': ['x;', "'y"] } },
    });
  });

  it('cannot have a key that is the beginning of another', () => {
    for (const configuration of [
      { 'x.y': '1', 'x.y.z': '2' },
      { 'x.y.z.w': '2', 'x.y': '1' },
    ]) {
      expect(configFile(flatConfig(configuration), 'v2_0', [])).toEqual({
        problem: expect.stringMatching(/^flinkConfiguration: x\.y has a value and is also the beginning .*; write /),
      });
    }
  });

  it('writes present names for keys that Flink 2 no longer reads', () => {
    const file = configFile(
      flatConfig({
        'high-availability': 'kubernetes',
        'high-availability.storageDir': '/ha',
        'state.backend': 'rocksdb',
      }),
      'v2_0',
      [],
    );
    expect('text' in file && parse(file.text)).toEqual({
      'high-availability': { storageDir: '/ha', type: 'kubernetes' },
      state: { backend: { type: 'rocksdb' } },
    });
  });
});
