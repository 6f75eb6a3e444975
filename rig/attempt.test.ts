import { expect, it } from 'vitest';
import { attempt } from './attempt.ts';
import { minutes, reportTo, silent } from './progress.ts';

it('tries a download three times, with growing pauses', async () => {
  const pauses: number[] = [];
  const pause = async (ms: number): Promise<void> => void pauses.push(ms);
  let tries = 0;
  const flaky = async (): Promise<string> => {
    tries += 1;
    if (tries < 3) throw new Error('reset');
    return 'there';
  };
  expect(await attempt('fetching', silent, flaky, pause)).toBe('there');
  expect(pauses).toEqual([2000, 4000]);
  const never = async (): Promise<never> => {
    tries += 1;
    throw new Error(`refused ${tries}`);
  };
  tries = 0;
  await expect(attempt('fetching', silent, never, pause)).rejects.toThrow('refused 3');
});

it('shows each step with the time it took', async () => {
  const lines: string[] = [];
  let now = 0;
  const progress = reportTo(
    (line) => lines.push(line),
    () => now,
  );
  await progress.step('building', async () => {
    now = 125_000;
  });
  await expect(
    progress.step('fetching', async () => {
      now = 130_000;
      throw new Error('refused');
    }),
  ).rejects.toThrow('refused');
  expect(lines).toEqual([
    '[0:00] building …\n',
    '[2:05] building: done in 2:05\n',
    '[2:05] fetching …\n',
    '[2:10] fetching: failed after 0:05\n',
  ]);
  expect(minutes(59_600)).toBe('1:00');
});
