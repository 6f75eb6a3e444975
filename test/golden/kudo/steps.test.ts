import { afterAll, expect, it } from 'vitest';
import type { Difference } from './step-comparison.ts';
import { type StepDifference, stepDifferences } from './step-differences.ts';
import { stepRecordings } from './step-recording.ts';
import { StepReplay } from './step-replay.ts';

const recordings = stepRecordings();
const met = new Set<StepDifference>();
let played = 0;

afterAll(() => {
  if (played < recordings.length) return;
  const gone = stepDifferences.filter((one) => !met.has(one));
  expect(gone, 'entries that no longer occur').toEqual([]);
});

it.each(recordings.map((recording) => [recording.package, recording] as const))(
  '%s goes as it did with KUDO, or as is listed',
  async (name, recording) => {
    played += 1;
    await using replay = await StepReplay.open(recording);
    const unlisted: unknown[] = [];
    for (const step of recording.steps) {
      const listed = (difference: Difference) => entryOf(`${name}/${step.step}`, difference);
      for (const one of await replay.play(step, (difference) => listed(difference) !== undefined)) {
        const entry = listed(one);
        if (entry) met.add(entry);
        else unlisted.push({ step: step.step, ...one });
      }
    }
    expect(unlisted).toEqual([]);
  },
);

function entryOf(step: string, difference: Difference): StepDifference | undefined {
  return stepDifferences.find(
    (entry) => entry.step.test(step) && entry.fact.test(difference.fact) && (entry.ours?.test(difference.ours) ?? true),
  );
}
