import { describe, expect, it } from 'vitest';
import { Configuration, flinkDuration, readConfiguration } from './configuration.ts';

const read = (files: Readonly<Record<string, string>>, image = 'flink:1.20'): Configuration =>
  readConfiguration(
    {
      read: (path) => {
        const text = files[path.replace('/opt/flink/conf/', '')];
        return text === undefined ? undefined : Buffer.from(text);
      },
      list: () => undefined,
      write: () => 'Read-only file system',
    },
    image,
  );

describe('readConfiguration', () => {
  it('reads lines of the old file as they are', () => {
    const text = 'a.b: c: d # comment\n# e: f\n$internal.flink.version: v1_18\nempty: \n';
    const configuration = read({ 'flink-conf.yaml': text });
    expect(configuration.text('a.b')).toBe('c: d');
    expect(configuration.text('empty')).toBeUndefined();
    expect(configuration.text('e')).toBeUndefined();
  });

  it('flattens the new file', () => {
    const text = 'execution:\n  checkpointing:\n    interval: 30 s\na.b: 1\nlist: [x, y]\n';
    const configuration = read({ 'config.yaml': text }, 'flink:2.0');
    expect(configuration.duration('execution.checkpointing.interval', 0)).toBe(30_000);
    expect(configuration.integer('a.b', 0)).toBe(1);
    expect(configuration.list('list')).toEqual(['x', 'y']);
  });

  it.each([
    ['flink:2.0', 'flink-conf.yaml', /config\.yaml' .*does not exist/],
    ['flink:1.18', 'config.yaml', /flink-conf\.yaml' .*does not exist/],
    ['flink:1.20', 'other.yaml', /config\.yaml' .*does not exist/],
  ])('is as strict as %s about %s', (image, file, message) => {
    expect(() => read({ [file]: 'a: b\n' }, image)).toThrow(message);
  });

  it('knows an option by its older names', () => {
    const configuration = new Configuration([['state.savepoints.dir', 's3://a']]);
    expect(configuration.text('execution.checkpointing.savepoint-dir')).toBe('s3://a');
    expect(configuration.with({ 'execution.checkpointing.savepoint-dir': 's3://b' }).text('state.savepoints.dir')).toBe(
      's3://b',
    );
  });

  it('splits lists outside of quotes', () => {
    const configuration = new Configuration([['args', "--topic;in-1;--sql;'SELECT ''a;b'' FROM t';;--x"]]);
    expect(configuration.list('args')).toEqual(['--topic', 'in-1', '--sql', "SELECT 'a;b' FROM t", '', '--x']);
  });

  it.each([
    ['2 gb', 2048],
    ['1600m', 1600],
    ['1073741824', 1024],
    ['much', 7],
  ])('reads %s as mebibytes', (text, value) => {
    expect(new Configuration([['m', text]]).mebibytes('m', 7)).toBe(value);
  });
});

describe('flinkDuration', () => {
  it.each([
    ['30 s', 30_000],
    ['5min', 300_000],
    ['1500', 1500],
    ['2 h', 7_200_000],
    ['PT1M30S', 90_000],
    ['soon', undefined],
    ['1 constructor', undefined],
  ])('of %s is %s', (text, ms) => {
    expect(flinkDuration(text)).toBe(ms);
  });
});
