import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Row } from '../benchmark.ts';

const mostKilobytes = 150;

/** All that a browser loads for the dashboard, as gzip sends it. */
export function pageWeight(): Row {
  const folder = join('dist', 'web');
  const bytes = readdirSync(folder).reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name))).length, 0);
  const ours = bytes / 1_000;
  return {
    metric: 'weight of the page, gzip',
    unit: 'kB',
    ours,
    peer: null,
    peerName: null,
    ratio: null,
    goal: `≤ ${mostKilobytes}`,
    holds: ours <= mostKilobytes,
  };
}
