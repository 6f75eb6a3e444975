import { expect, it } from 'vitest';
import { unresolved } from './unresolved.ts';

it('tells which field leads nowhere, and quotes what it says on one short line', () => {
  expect(unresolved('CFApp', 'spec.appRef.name', 'orders')).toBe(
    'There is no CFApp orders in this namespace, which spec.appRef.name names.',
  );
  expect(unresolved('CFApp', 'spec.appRef.name', '')).toBe('spec.appRef.name is empty: it names no CFApp.');
  expect(unresolved('CFApp', 'spec.appRef.name', undefined)).toMatch(/^spec\.appRef\.name is empty/);
  const hostile = unresolved('CFApp', 'spec.appRef.name', `\u001b[2J${'x'.repeat(70_000)}`);
  expect(hostile).not.toMatch(/\p{Cc}/u);
  expect(hostile.length).toBeLessThan(200);
});
