import { describe, expect, it } from 'vitest';
import type { Summary } from '../../../portrait/summary.ts';
import { byNeed, fleetLines } from './fleet.ts';
import { printed } from './line.ts';
import { cloudFoundryPage, flinkPage, kudoPage, now } from './pages.fixture.ts';

const healthy: Summary = {
  subject: { ...flinkPage.portrait.subject, name: 'counter', namespace: 'streaming' },
  phase: 'healthy',
  headline: 'The job runs as specified.',
  serving: 'the job',
  inTransition: false,
};
const fleet: readonly Summary[] = [healthy, flinkPage.portrait, kudoPage.portrait, cloudFoundryPage.portrait];

function shown(options: { readonly namespaces: boolean; readonly wide: boolean }): readonly string[] {
  const lines = fleetLines(fleet.toSorted(byNeed), { now, ...options });
  return lines.map((line) => printed(line, { width: Number.POSITIVE_INFINITY, color: false }));
}

describe('the fleet', () => {
  it('has those first that need somebody, and calls them as people do', () => {
    expect(shown({ namespaces: true, wide: false }).map((line) => line.slice(0, 108))).toEqual([
      'NAMESPACE  NAME     KIND                      STATUS         SERVING            AGE  INFO',
      'bank       ledger   Instance                  ✖ failed       ledger-1.0.0       27h  plan deploy failed in s',
      'space-1    hello    CFApp                     ◷ waiting      revisions 1 and 2  9d   The canary of revision ',
      'streaming  orders   FlinkBlueGreenDeployment  ◌ progressing  blue               2h   blue → green: orders-gr',
      'streaming  counter  FlinkBlueGreenDeployment  ✔ healthy      the job                 The job runs as specifi',
    ]);
  });

  it('says more when there is room', () => {
    const [header, first, second] = shown({ namespaces: false, wide: true });
    expect(header).toMatch(/^NAME {2}.*STATE {2}.*SINCE {2}NEEDS YOU {2}.*INFO$/);
    expect(first).toMatch(/deploy FATAL_ERROR +10m +Set NODE_COUNT right/);
    expect(second).toMatch(/^hello \(4cf7eb16\) {2}/);
  });
});
