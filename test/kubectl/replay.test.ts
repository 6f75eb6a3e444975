import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realRandom, suffix } from '../../src/clock/random.ts';
import { realClock } from '../../src/clock/real.ts';
import type { Embedded } from '../../src/embedded/embedded.ts';
import { openShell } from './shell.ts';
import { formatTranscript, headingOf, parseTranscript, type Step } from './transcript.ts';

/**
 * Replays every transcript with the real kubectl, on the real server that `CUTOVER_KUBECONFIG` names and on the embedded
 * one. With `CUTOVER_RECORD=1` what the real server answers is written into the transcripts instead. Those in `node/` need
 * containers that really run: `CUTOVER_TRANSCRIPTS=node`.
 */
const folder = new URL(`transcripts/${process.env.CUTOVER_TRANSCRIPTS ?? ''}/`, import.meta.url);
const transcripts = readdirSync(folder).filter((name) => name.endsWith('.txt'));
const recording = process.env.CUTOVER_RECORD === '1';

async function replay(kubeconfig: string, text: string): Promise<readonly Step[]> {
  const shell = await openShell(kubeconfig, `transcript-${suffix(realRandom)}`);
  try {
    const steps: Step[] = [];
    for (const { command } of parseTranscript(text)) steps.push(await shell.run(command));
    return steps;
  } finally {
    await shell.close();
  }
}

describe('on a real server', () => {
  it.each(transcripts)('%s', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const steps = await replay(readFileSync(process.env.CUTOVER_KUBECONFIG ?? '', 'utf8'), text);
    if (recording) writeFileSync(new URL(name, folder), formatTranscript(headingOf(text), steps));
    else expect(formatTranscript('', steps)).toBe(formatTranscript('', parseTranscript(text)));
  });
});

describe.skipIf(recording)('on the embedded server', () => {
  let embedded: Embedded;
  let kubeconfig: string;

  beforeAll(async () => {
    const { createEmbedded } = await import('../../src/embedded/embedded.ts');
    embedded = await createEmbedded({ clock: realClock, random: realRandom });
    kubeconfig = (await embedded.listen({ port: 0 })).kubeconfig;
  });
  afterAll(() => embedded?.close());

  it.each(transcripts)('%s', async (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const steps = await replay(kubeconfig, text);
    expect(formatTranscript('', steps)).toBe(formatTranscript('', parseTranscript(text)));
  });
});
