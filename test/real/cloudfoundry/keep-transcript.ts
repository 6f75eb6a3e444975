import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { gist } from './transcript.ts';

const path = new URL('../../../docs/cloudfoundry/transcript.md', import.meta.url);

const INTRODUCTION = `# A session with the cf CLI

Written by \`CUTOVER_RECORD=1 npm run test:real -- cloudfoundry\`: the real \`cf\` against Cutover on a real Kubernetes with real
containers. GUIDs, times and addresses are replaced by others of the same length; without the variable, the run is compared
with this page.

`;

/** Compares a session with the one in the documentation, or replaces that with it when it is to be recorded. */
export function keepTranscript(text: string): void {
  if (process.env.CUTOVER_RECORD === '1') writeFileSync(path, INTRODUCTION + text);
  else expect(gist(INTRODUCTION + text)).toEqual(gist(readFileSync(path, 'utf8')));
}
