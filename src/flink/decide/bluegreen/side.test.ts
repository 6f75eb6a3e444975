import { expect, it } from 'vitest';
import { sideOf, trouble } from './side.ts';
import { name, sideSeen, stateful, uid } from './view.fixture.ts';

it('tells what a side that does not come up says of itself, before it is an error', () => {
  const seen = sideSeen('GREEN', stateful, 'settling');
  const message = 'it has too few TaskManagers';
  const stalled = { type: 'Stalled', status: 'True', reason: 'SlowStart', message, lastTransitionTime: '' } as const;
  const told = { ...seen, status: { ...seen.status, conditions: [stalled] } };
  const of = (side: typeof seen): string => trouble(sideOf({ name, uid }, 'GREEN', side));
  expect(of(seen)).toBe('counter-green is starting (RECONCILING)');
  expect(of(told)).toBe('counter-green is starting (RECONCILING): it has too few TaskManagers');
  expect(of({ ...told, status: { ...told.status, error: 'no such image' } })).toContain('(RECONCILING): no such image');
});
