import { describe, expect, it } from 'vitest';
import { anonymous, renamed } from './text.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const later = (ms: number): string => new Date(now + ms).toISOString();

describe('a world as text', () => {
  it('is the same whatever its objects are called, as long as the same ones are called the same', () => {
    const one = anonymous([{ uid: 'uid1', of: 'uid1', at: 'rv3' }, { uid: 'uid2' }], now);
    expect(anonymous([{ uid: 'uid7', of: 'uid7', at: 'rv9' }, { uid: 'uid4' }], now)).toBe(one);
    expect(anonymous([{ uid: 'uid7', of: 'uid4', at: 'rv9' }, { uid: 'uid4' }], now)).not.toBe(one);
  });

  it('is the same whenever it is, as long as everything is equally far away', () => {
    const one = anonymous([{ deadline: later(5000) }], now);
    expect(anonymous([{ deadline: later(65_000) }], now + 60_000)).toBe(one);
    expect(anonymous([{ deadline: later(5000) }], now + 60_000)).not.toBe(one);
  });

  it('does not tell how often something was tried, nor how long ago something is long ago', () => {
    const tried = (attempt: number) => [
      { attempt, id: `uid0-${attempt}`, name: `app-savepoint-${attempt}abcdef012`, at: later(-attempt * 7_200_000) },
    ];
    expect(anonymous(tried(9), now)).toBe(anonymous(tried(2), now));
  });

  it('tells apart what is named in a spec', () => {
    const from = (...paths: string[]) => paths.map((path) => ({ spec: { job: { initialSavepointPath: path } } }));
    const same = anonymous(from('s3://savepoints/path1', 's3://savepoints/path1'), now);
    expect(anonymous(from('s3://savepoints/path2', 's3://savepoints/path2'), now)).toBe(same);
    expect(anonymous(from('s3://savepoints/path1', 's3://savepoints/path2'), now)).not.toBe(same);
    expect(anonymous(from('s3://mine/1', 's3://mine/1'), now)).not.toBe(same);
  });
});

describe('another text about the same things', () => {
  it('is found again under their other names', () => {
    const [one, two] = [renamed([{ uid: 'uid1' }], now), renamed([{ uid: 'uid5' }], now + 1000)];
    expect(two.text).toBe(one.text);
    const kept = one.forth(`delete uid1 at ${later(3000)}, make uid0-4`);
    expect(two.back(kept)).toBe(`delete uid5 at ${later(4000)}, make uid0-4`);
  });

  it('is another where ids have been counted further', () => {
    expect(renamed([{ attempt: 2 }], now).text).not.toBe(renamed([{ attempt: 3 }], now).text);
  });
});
