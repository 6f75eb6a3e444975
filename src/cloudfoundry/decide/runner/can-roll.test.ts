import { expect, it } from 'vitest';
import { labels } from '../../keys.ts';
import { canRoll, canRollByVersion } from './can-roll.ts';

it('a StatefulSet can take another revision unless it selects its pods by revision', () => {
  const selecting = (selector: NonNullable<Parameters<typeof canRoll>[0]['spec']>['selector']) =>
    canRoll({ spec: { ...(selector && { selector }) } });
  expect(selecting({ matchLabels: { [labels.guid]: 'web' } })).toBe(true);
  expect(selecting({ matchLabels: { [labels.guid]: 'web', [labels.version]: '1' } })).toBe(false);
  expect(selecting({ matchExpressions: [{ key: labels.version }] })).toBe(false);
  expect(canRoll({})).toBe(true);
});

it.each([
  ['v0.7.1', false],
  ['v0.7.0', false],
  ['0.6.9', false],
  ['v0.7.2', true],
  ['v0.8.0', true],
  ['v0.18.0', true],
  ['v1.0.0', true],
  ['v0.1.0+cutover', true],
  ['latest', false],
  ['', false],
  [undefined, false],
])('what %s made can take another revision: %s', (version, can) => {
  expect(canRollByVersion(version)).toBe(can);
});
