import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from '../../../src/flink/resources/flink-deployment.ts';
import { deploymentSpecCodec } from '../../../src/flink/resources/recorded-spec.ts';
import { deploymentChange, specChangedMessage } from '../../../src/flink/resources/spec-change.ts';
import { expectListed, type Found } from './expect-listed.ts';
import { type GoldenCase, type GoldenEdit, goldenCases } from './load.ts';

const deployments = goldenCases().filter(({ kind }) => kind === 'FlinkDeployment');

/** Edits of something that was deployed: only they are compared with a recorded spec. */
const edits = deployments.flatMap((golden) =>
  golden.edits.flatMap((edit) => {
    const text = edit.statusBefore.reconciliationStatus?.lastReconciledSpec;
    const recorded = text === undefined ? undefined : deploymentSpecCodec.read(text);
    if (recorded && !recorded.ok) throw new Error(`${golden.name}: ${recorded.reason}`);
    return recorded ? [{ golden, edit, recorded: recorded.spec }] : [];
  }),
);

function changeOf(edit: GoldenEdit, recorded: FlinkDeploymentSpec) {
  return deploymentChange(recorded, edit.after.spec as FlinkDeploymentSpec);
}

describe('every recorded edit', () => {
  it('is read as it was recorded, word for word', () => {
    const found = edits.flatMap(({ golden, edit, recorded }) => {
      const theirs = edit.events.find(({ reason }) => reason === 'SpecChanged')?.message;
      return theirs === undefined ? [] : difference(golden, edit, theirs, specChangedMessage(changeOf(edit, recorded)));
    });
    expectListed('diff text', found);
  });

  it('demands nothing, or was refused, where no change was announced', () => {
    for (const { golden, edit, recorded } of edits) {
      if (edit.events.some(({ reason }) => reason === 'SpecChanged' || reason === 'ValidationError')) continue;
      expect(changeOf(edit, recorded).type, `${golden.name} ${edit.name}`).toBe('IGNORE');
    }
  });

  it('is there to be compared', () => {
    expect(edits.length).toBeGreaterThan(0);
  });
});

/** Names the kind of a difference that can occur anywhere, else the edit. */
function difference({ name }: GoldenCase, edit: GoldenEdit, theirs: string, ours: string): Found[] {
  if (theirs === ours) return [];
  const where = kinds.find(([, reduced]) => reduced(theirs) === reduced(ours))?.[0] ?? `edit ${edit.name}`;
  return [{ case: name, where, detail: `recorded: ${theirs}\nours:     ${ours}` }];
}

/** A kind of difference, and what remains of a text when it is left out of account. */
const kinds: readonly (readonly [where: string, reduced: (text: string) => string])[] = [
  ['order of configuration keys', (text) => lines(text).sort().join('\n')],
  ['elements of a list', (text) => lines(text).map(withoutElement).join('\n')],
];

/** The listing, one change per element; what starts a change is its path. */
function lines(text: string): string[] {
  return text.split(/, (?=[\w.~-]+ : )|\[(?=[\w.~-]+ : )|\]\), (?=starting)/);
}

function withoutElement(line: string): string {
  return line.replace(/^(\S+\.\d+) : .*$/s, '$1');
}
