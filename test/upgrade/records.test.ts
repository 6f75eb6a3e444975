import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printed, type RecordFields, readPrinted, recordFieldsIn, strains } from './record-fields.ts';

const crds = join(import.meta.dirname, '..', '..', 'crds');
const kept = join(import.meta.dirname, 'landed.txt');
// When a version lands, it is what the next one is compared with.
if (process.env.KEEP_RECORDS) writeFileSync(kept, printed(recordFieldsIn(crds)));
const landed = readPrinted(readFileSync(kept, 'utf8'));

describe('what is persisted', () => {
  it('is understood one version later and one version back', () => {
    expect(strains(landed, recordFieldsIn(crds))).toEqual([]);
  });

  it('is looked at in all families, down to the records of transitions', () => {
    expect(Object.keys(landed)).toEqual(expect.arrayContaining(['FlinkDeployment', 'Instance', 'CFApp']));
    expect(landed.FlinkBlueGreenDeployment?.['status.transition.phase']).toMatchObject({
      values: expect.arrayContaining(['savepointing', 'draining']),
      required: true,
    });
    expect(landed.Instance?.['status.planStatus.*.phases[].steps[].status']).toEqual({ type: 'string' });
  });
});

it('reads what it has kept as it was', () => {
  const fields = recordFieldsIn(crds);
  expect(readPrinted(printed(fields))).toEqual(fields);
});

const field = { type: 'string' } as const;
const record = { type: 'object' } as const;
const phase = { type: 'string', values: ['a', 'b'], required: true } as const;

describe('a change of a record', () => {
  it.each<[string, RecordFields['Kind'], readonly unknown[]]>([
    ['a field more', { status: record, 'status.x': field, 'status.phase': phase, 'status.y': field }, []],
    ['a field less', { status: record, 'status.phase': phase }, ['Kind status.x: is gone, and older records have it']],
    [
      'another type',
      { status: record, 'status.x': { type: 'integer' }, 'status.phase': phase },
      ['Kind status.x: was string, and is integer'],
    ],
    [
      'a field that must be there',
      { status: record, 'status.x': { ...field, required: true }, 'status.phase': phase },
      [expect.stringContaining('older records may lack it')],
    ],
    [
      'a new field that must be there',
      { status: record, 'status.x': field, 'status.phase': phase, 'status.y': { ...field, required: true } },
      [expect.stringContaining('older records do not have it')],
    ],
    [
      'other values',
      { status: record, 'status.x': field, 'status.phase': { ...phase, values: ['b', 'c'] } },
      ['Kind status.phase: a is gone', expect.stringMatching(/^Kind status.phase: c is new, and older versions/)],
    ],
  ])('is judged: %s', (_what, now, expected) => {
    const before = { Kind: { status: record, 'status.x': field, 'status.phase': phase } };
    expect(strains(before, { Kind: now ?? {} })).toEqual(expected);
  });
});
