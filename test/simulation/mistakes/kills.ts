import { readFileSync } from 'node:fs';
import type { Kill } from './kill.ts';

export const killsFile = new URL('kills.json', import.meta.url);

/** By mistake: how it was noticed when it was last looked for. `npm run simulate -- --mistakes` looks anew. */
export const kills = JSON.parse(readFileSync(killsFile, 'utf8')) as Readonly<Record<string, Kill>>;
