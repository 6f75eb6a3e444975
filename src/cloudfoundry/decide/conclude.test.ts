import { expect, it } from 'vitest';
import { conclude } from './conclude.ts';

it('says on one line of a length that can be read why something is not ready, whatever it quotes', () => {
  const resource = {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name: 'a', uid: 'u', resourceVersion: '1', generation: 3 },
  };
  const readiness = { ready: false, reason: 'AppNotFound', message: `\u001b[2J${'x'.repeat(70_000)}` } as const;
  const { actions } = conclude(resource, 0, { status: {}, readiness, because: 'it is so' });
  const [ready] = (actions[0] as { status?: { conditions?: { message: string }[] } }).status?.conditions ?? [];
  expect(ready?.message).toMatch(/^\\u\{1b\}\[2Jx+…$/);
  expect(ready?.message.length).toBe(2001);
});
