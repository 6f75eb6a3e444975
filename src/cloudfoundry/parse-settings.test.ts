import { describe, expect, it } from 'vitest';
import { parseSettings } from './parse-settings.ts';
import { defaultSettings } from './settings.ts';

describe('settings from a file', () => {
  it('are the defaults when it says nothing', () => {
    expect(parseSettings('', '1.2.3')).toEqual({ ...defaultSettings, version: 'v0.18.0+cutover.1.2.3' });
  });

  it('keep what it does not say', () => {
    const { process, taskTtlMs, apiUrl, runner } = parseSettings(
      'process: { memoryMB: 256 }\ntaskTtlHours: 1\napiUrl: https://api.example/\nrunner: { preStopSeconds: 2 }',
      '0',
    );
    expect(process).toEqual({ memoryMB: 256, diskQuotaMB: 1024, healthTimeoutSeconds: 60 });
    expect(runner).toMatchObject({ preStopSeconds: 2, imagePullPolicy: 'IfNotPresent' });
    expect({ taskTtlMs, apiUrl }).toEqual({ taskTtlMs: 3_600_000, apiUrl: 'https://api.example' });
  });

  it.each([
    ['memory: 1', /Unrecognized key: "memory"/],
    ['process: { memoryMB: lots }', /process\.memoryMB/],
    ['rootNamespace: Not A Name', /rootNamespace: it must be a name of Kubernetes/],
    ['runner: { preStopSeconds: 60 }', /preStopSeconds is 60, but an instance has only .*30.* to end/],
    ['- a list', /the file/],
    ['{', /not YAML/],
    ['a: &a [x]\nb: *a', /not YAML|Unrecognized/],
  ])('refuses %j by its path', (text, message) => {
    expect(() => parseSettings(text, '0')).toThrow(message);
  });
});
