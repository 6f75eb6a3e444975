import { describe, expect, it, vi } from 'vitest';
import { parseOperatorConfig } from './parse-operator-config.ts';

describe('the operator’s configuration from files', () => {
  it('reads a line per key, with comments, as Flink does', () => {
    const text = [
      '# comment',
      'a.b: 1',
      '  c: x: y   ',
      'd: before # after',
      'no value:',
      'nonsense',
      '',
      'url: http://x:80/',
      ': x',
      'e:#: x',
      '\tf\t:\ty',
    ].join('\n');
    expect(parseOperatorConfig({ 'flink-conf.yaml': text })).toEqual({
      settings: { 'a.b': '1', c: 'x: y', d: 'before', url: 'http://x:80/', f: 'y' },
      logFiles: {},
    });
  });

  it('reads nested YAML, which wins', () => {
    const files = { 'config.yaml': 'a:\n  b: 1\nc.d: [x, y]\n', 'flink-conf.yaml': 'a.b: 2' };
    expect(parseOperatorConfig(files)).toEqual({ settings: { 'a.b': '1', 'c.d': 'x;y' }, logFiles: {} });
  });

  it('keeps log configuration of clusters and nothing else', () => {
    const files = { 'log4j-console.properties': 'x', 'logback-console.xml': '<y/>', 'log4j-operator.properties': 'z' };
    expect(parseOperatorConfig(files)).toEqual({
      settings: {},
      logFiles: { 'log4j-console.properties': 'x', 'logback-console.xml': '<y/>' },
    });
  });

  it('says what is wrong', () => {
    expect(parseOperatorConfig({ 'config.yaml': 'a: [' })).toEqual({
      problem: expect.stringMatching(/^config\.yaml is not YAML: /),
    });
    expect(parseOperatorConfig({ 'config.yaml': '- a' })).toEqual({
      problem: expect.stringContaining('config.yaml is not a map of keys'),
    });
  });

  it('takes a key like any other name', () => {
    const made = parseOperatorConfig({ 'flink-conf.yaml': '__proto__: x\nconstructor: y' });
    expect(Object.entries('settings' in made ? made.settings : {})).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  it('writes nothing of the file between the lines of a log', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    expect(parseOperatorConfig({ 'config.yaml': 'a: !unknown 1' })).toMatchObject({ settings: { a: '1' } });
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it('reads empty files', () => {
    expect(parseOperatorConfig({ 'config.yaml': '' })).toEqual({ settings: {}, logFiles: {} });
    expect(parseOperatorConfig({})).toEqual({ settings: {}, logFiles: {} });
  });
});
