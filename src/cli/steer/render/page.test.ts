import { describe, expect, it } from 'vitest';
import { widthOf } from '../../../portrait/text/width.ts';
import type { Page } from '../../../portrait/wire.ts';
import { printed } from './line.ts';
import { pageLines } from './page.ts';
import { cloudFoundryPage, flinkPage, kudoPage, now } from './pages.fixture.ts';

function shown(page: Page, width = Number.POSITIVE_INFINITY): readonly string[] {
  const lines = pageLines(page, { width, now, program: 'cutover' });
  return lines.map((line) => printed(line, { width, color: false }));
}

describe('a page', () => {
  it('answers the five questions first, then shows sides, steps, tree, conditions, events and what can be done', () => {
    expect(shown(flinkPage)).toEqual([
      'Name:         streaming/orders   FlinkBlueGreenDeployment',
      'Status:       ◌ progressing (TRANSITIONING_TO_GREEN), for 41s',
      '              blue → green: orders-green is starting (RECONCILING).',
      'Serves:       blue serves (FlinkDeployment orders-blue), for 2h.',
      'Changing:     blue → green: the image changed.',
      '              spec.template.spec.image: flink:1.20.3 → flink:1.20.4',
      'Progress:     Step 2 of 5: green is starting for 38s.',
      'If stopped:   green is deleted and blue serves on, untouched: `cutover abort orders`.',
      'Next:         Wait for green to become ready; otherwise it is given up by itself.',
      'Deadline:     green is given up in 1m19s',
      '',
      'SIDE   ROLE     STATUS         FACTS',
      'blue   serving  ✔ RUNNING      image flink:1.20.3',
      'green  next     ◌ RECONCILING  image flink:1.20.4 · from s3://state/sp-91ab',
      '',
      'STEP                          STATUS   BEGAN     TOOK   INFO',
      '✔ 1 Take a savepoint of blue  done     11:59:19  3s     sp-91ab',
      '◌ 2 Start green               now      11:59:22  38s …',
      '· 3 Move traffic to green     to come',
      '',
      'NAME                   KIND                      STATUS                    AGE   INFO',
      'orders                 FlinkBlueGreenDeployment  ◌ TRANSITIONING_TO_GREEN  2h',
      '├─ orders-blue         FlinkDeployment           ✔ RUNNING                 2h    serving',
      '│  └─ orders-blue-jm   Pod                       ✔ Running                 116m  restarted 2×; Will be deleted with blue.',
      '└─ orders-green        FlinkDeployment           ◌ RECONCILING             38s',
      '   └─ orders-green-jm  Pod                       ◌ ContainerCreating       37s   Made because the image changed.',
      '',
      'upgrade mode  savepoint',
      '',
      'CONDITION  IS    REASON   SINCE  MESSAGE',
      'Available  True  Serving  118m   the job of orders-blue runs.',
      '',
      'EVENT  REASON   ABOUT                         NOTE',
      '37s    Submit   FlinkDeployment/orders-green  Starting deployment',
      '8m     BackOff  Pod/orders-blue-jm            restarting failed container (2×)',
      '',
      'You can:',
      '  cutover abort FlinkBlueGreenDeployment/orders -n streaming    give the transition up',
      '  cutover suspend FlinkBlueGreenDeployment/orders -n streaming  stop the job (asks first: availability is at stake)',
    ]);
  });

  it('says who is needed and where it failed', () => {
    const text = shown(kudoPage).join('\n');
    expect(text).toContain('Status:       ✖ failed (deploy FATAL_ERROR), for 10m\n');
    expect(text).toContain(
      'Needs you:    Set NODE_COUNT right: `cutover kudo update --instance ledger -p NODE_COUNT=3`.\n',
    );
    expect(text).toContain('✖ 2 Step nodes of phase ledger     failed  11:50:00        NODE_COUNT is no number\n');
    expect(text).not.toContain('CONDITION');
    expect(text).not.toContain('EVENT');
  });

  it('says of a change what it was before only where that is known', () => {
    const { cause } = flinkPage.portrait;
    const changes = [
      { path: 'spec.a', to: '1', demands: 'scale' },
      { path: 'spec.b', from: '1', demands: 'scale' },
    ];
    const page = {
      ...flinkPage,
      portrait: { ...flinkPage.portrait, cause: { kind: '', because: '', ...cause, changes } },
    };
    expect(shown(page)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^ +spec\.a: 1$/),
        expect.stringMatching(/^ +spec\.b: 1 → \(none\)$/),
      ]),
    );
  });

  it('shows what people call an app, and no condition that says nothing', () => {
    const text = shown(cloudFoundryPage).join('\n');
    expect(text).toContain('Name:         hello, space-1/4cf7eb16   CFApp\n');
    expect(text).toContain('revision 2  next     ◷ 1 of 3 ready  Share 33%');
    expect(text).not.toContain('CONDITION');
  });

  it('fits the terminal, whatever is in it', () => {
    for (const width of [40, 80, 200]) {
      for (const page of [flinkPage, kudoPage, cloudFoundryPage]) {
        for (const line of shown(page, width)) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }
    }
    expect(shown(flinkPage, 60)).toContain('              untouched: `cutover abort orders`.');
  });

  it('leaves out what matters least when there is no room, and says so', () => {
    const frame = { width: 200, now, program: 'cutover' };
    const high = (rows: number): string =>
      pageLines(flinkPage, frame, rows)
        .map((line) => printed(line, { width: 200, color: false }))
        .join('\n');
    expect(high(100)).toContain('EVENT');
    const low = high(36);
    expect(low.split('\n').length).toBeLessThanOrEqual(36);
    expect(low).toContain('You can:');
    expect(low).toMatch(/\n\nnot shown for lack of room: facts, events$/);
    expect(high(10)).toMatch(/STEP.*You can:.*not shown for lack of room: facts, events, conditions, tree$/s);
  });

  it('moves no cursor and ends, whoever wrote the messages', () => {
    const evil = `\u001b[2J\u202e\r\n${'x'.repeat(70_000)}`;
    const page = JSON.parse(
      JSON.stringify(flinkPage, (key, value) =>
        ['headline', 'message', 'note', 'info', 'name', 'value'].includes(key) ? evil : value,
      ),
    ) as Page;
    const text = shown(page).join('\n');
    expect(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u.test(text)).toBe(false);
    expect(text.length).toBeLessThan(100_000);
    expect([text.includes('\\u001b[2J'), text.includes('(70007 characters)')]).toEqual([true, true]);
  });

  it('paints only when asked, and then by meaning', () => {
    const [, status = []] = pageLines(flinkPage, { width: 80, now, program: 'cutover' });
    expect(printed(status, { width: 80, color: true })).toContain(
      '\u001b[36m◌ progressing (TRANSITIONING_TO_GREEN), for 41s\u001b[0m',
    );
    expect(printed(status, { width: 80, color: false })).not.toContain('\u001b');
  });
});
