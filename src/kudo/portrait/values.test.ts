import { describe, expect, it } from 'vitest';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { aVersion } from './around.fixture.ts';
import { shownValues } from './values.ts';

const version = (templates: Readonly<Record<string, string>> = {}): OperatorVersion => {
  const { spec, ...rest } = aVersion() as unknown as OperatorVersion;
  return { ...rest, spec: { ...spec, templates: { ...spec.templates, ...templates } } };
};

describe('values that are shown', () => {
  it('are those that were given, else the defaults', () => {
    const shown = shownValues(version());
    expect(shown.text('LEVEL', { LEVEL: 'debug' })).toBe('debug');
    expect(shown.text('LEVEL', {})).toBe('info (default)');
    expect(shown.text('NOBODY', {})).toBeUndefined();
    expect(shown.text('constructor', {})).toBeUndefined();
    expect(shown.text('LEVEL', { LEVEL: 'x'.repeat(5000) })?.length).toBeLessThan(300);
  });

  it('are none that a Secret is made of, or that are named like one', () => {
    const shown = shownValues(version());
    expect(shown.text('LOGIN', { LOGIN: 'hush' })).toBe('(secret)');
    expect(shown.text('DB_PASSWORD', { DB_PASSWORD: 'hush' })).toBe('(secret)');
    const whole = 'kind: Secret\nstringData:\n  all: {{ .Params | toYaml }}\n';
    expect(shownValues(version({ 'all.yaml': whole })).text('LEVEL', { LEVEL: 'debug' })).toBe('(secret)');
  });

  it('are none without the version, for nobody can tell', () => {
    expect(shownValues(undefined).text('LEVEL', { LEVEL: 'debug' })).toBe('(not shown)');
    expect(shownValues(undefined).text('LEVEL', {})).toBeUndefined();
  });
});
