import { expect, it } from 'vitest';
import { gist, Transcript } from './transcript.ts';

const one = '295deca8-5d71-4717-bae3-f7aa257bb34c';
const two = '3481bd65-3a87-4420-917c-0bda9fcc180c';

async function told(text: string): Promise<string> {
  const transcript = new Transcript();
  transcript.say('Somebody looks:');
  transcript.hear(Promise.resolve({ command: 'cf app web', text, exitCode: 1 }));
  return transcript.text();
}

it('stands in for what differs between runs, in as many letters', async () => {
  const text = `a ${one} b ${two} c ${one}-348-4450c6e688-2 at Mon 16 Nov 10:09:01 UTC 2026 or 2026-11-16T10:09:05Z`;
  const shown = await told(text);
  expect(shown).toContain(
    'a 00000000-0000-0000-0000-000000000001 b 00000000-0000-0000-0000-000000000002 c 00000000-0000-0000-0000-000000000001-000-0000000000-2 at Thu 01 Jan 00:00:00 UTC 2026 or 2026-01-01T00:00:00Z',
  );
  expect(shown.split('\n').find((line) => line.startsWith('a '))).toHaveLength(text.length);
});

it('says the same wherever the API answers', async () => {
  const at = (address: string) => told(`API endpoint: https://${address}`);
  expect(await at('10.96.77.77')).toBe(await at('127.0.0.1:8443'));
  expect(await at('127.0.0.1:40123')).toBe(await at('127.0.0.1:8443'));
});

it('says what was said, what was typed and how it failed', async () => {
  expect(await told('oops')).toBe('Somebody looks:\n\n```console\n$ cf app web\noops\n(exit code 1)\n```\n');
});

it('compares what two runs said, not when they looked', async () => {
  const at = (state: string) => told(`instances: 1/1\n#0   ${state}\nname: web`);
  expect(gist(await at('running'))).toEqual(gist(await at('starting')));
  const patient = 'The image could not be inspected yet: rig.local cannot be reached.\nname: web';
  expect(gist(await told(patient))).toEqual(gist(await told('name: web')));
  expect(gist(await told('name: web'))).not.toEqual(gist(await told('name: other')));
});
