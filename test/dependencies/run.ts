/** `npm run dependencies`: known holes and newer versions of packages, where the registry answers. */
import { spawnSync } from 'node:child_process';
import { shippedNames } from '../security-docs.ts';
import { type AuditAnswer, judgeAudit, judgeFreshness, type OutdatedAnswer } from './judge.ts';

const longestMs = 60_000;

/** What npm prints as JSON; nothing when it prints none, as when nobody answers. */
function ask<T extends object>(...args: readonly string[]): T | undefined {
  const { stdout } = spawnSync('npm', [...args, '--json'], { encoding: 'utf8', timeout: longestMs });
  try {
    return JSON.parse(stdout) as T;
  } catch {
    return undefined;
  }
}

const judgements = [
  judgeAudit(ask<AuditAnswer>('audit') ?? {}, shippedNames()),
  judgeFreshness(ask<OutdatedAnswer>('outdated') ?? {}),
];
for (const { lines } of judgements) console.log(lines.join('\n'));
process.exitCode = judgements.some(({ bad }) => bad) ? 1 : 0;
