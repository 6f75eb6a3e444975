import { expect, it } from 'vitest';
import { refusal } from './refusal.ts';

it('quotes what people wrote on one line of bounded length', () => {
  const { message } = refusal('UnknownPlan', { plan: `\u001b[2J${'x'.repeat(70_000)}`, plans: 'deploy' });
  expect(message).toMatch(/^plan \\u\{1b\}\[2Jx+… does not exist/);
  expect(message.length).toBeLessThan(1100);
});
