import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { CfEnv } from './platform.ts';
import { warn } from './warn.ts';

async function headerOf(...texts: readonly string[]): Promise<string> {
  const api = new Hono<CfEnv>();
  api.get('/', (c) => {
    for (const text of texts) warn(c, text);
    return c.json({});
  });
  const response = await api.request('/');
  expect(response.status).toBe(200);
  return response.headers.get('x-cf-warnings') ?? '';
}

describe('a warning', () => {
  it.each(['a, b; c%', 'zoë 😀 '.trim(), "it's a/b: 1.0"])('is told as it is: %j', async (text) => {
    const header = await headerOf(text);
    expect(header).toMatch(/^[\x20-\x7e]+$/);
    expect(header).not.toContain(',');
    expect(decodeURIComponent(header)).toBe(text);
  });

  it('may have half a character', async () => {
    expect(decodeURIComponent(await headerOf('a\ud83d'))).toBe('a\ufffd');
    expect(decodeURIComponent(await headerOf(`${'x'.repeat(299)}😀`))).toBe(`${'x'.repeat(299)}\ufffd`);
  });

  it('leaves room in the head of the answer, however many there are', async () => {
    const header = await headerOf(...Array.from({ length: 5_000 }, (_, at) => `applications[0].k${at} has no effect`));
    expect(header.length).toBeLessThan(4_096);
    expect(header.split(',').length).toBeGreaterThan(10);
  });
});
