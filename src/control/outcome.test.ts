import { expect, it } from 'vitest';
import { VirtualClock } from '../clock/virtual.ts';
import type { ApplyAction, CallAction } from './decision.ts';
import { actionDigest, OutcomeBook } from './outcome.ts';

const call = (id: string): CallAction => ({ do: 'call', port: 'p', verb: 'v', id, args: {} });

it('says since when something fails in the same way', async () => {
  const clock = new VirtualClock(0);
  const book = new OutcomeBook(clock);
  book.failed('k', call('a'), 'unavailable', 'down');
  await clock.advance(5);
  book.failed('k', call('a'), 'unavailable', 'still down');
  expect(book.of('k').a).toMatchObject({ since: 0, at: 5, message: 'still down' });
  await clock.advance(5);
  book.failed('k', call('a'), 'refused', 'no');
  expect(book.of('k').a).toMatchObject({ since: 10, at: 10 });
});

it('tells how long ago something happened, also after somebody has set the clock', () => {
  const time = { wall: 10_000_000, monotonic: 0.25 };
  const pass = (ms: number, leap = 0): void => {
    time.monotonic += ms;
    time.wall += ms + leap;
  };
  const book = new OutcomeBook({ now: () => time.wall, monotonic: () => time.monotonic, after: () => () => {} });
  book.failed('k', call('a'), 'refused', 'no');
  book.done('k', call('b'), 1);
  pass(2_000, 3);
  expect(book.of('k').b).toMatchObject({ at: 10_000_000, since: 10_000_000 });
  pass(1_000, -3_600_000);
  expect(book.of('k').b).toMatchObject({ at: time.wall - 3_000, since: time.wall - 3_000 });
  book.failed('k', call('a'), 'refused', 'no');
  expect(book.of('k').a).toMatchObject({ at: time.wall, since: time.wall - 3_000 });
  pass(500, 7_200_000);
  expect(book.of('k').a).toMatchObject({ at: time.wall - 500, since: time.wall - 3_500 });
});

it('tells the same instant at every look, also when the clock that was set goes a little faster', () => {
  const time = { wall: 10_000_000, monotonic: 0.25 };
  const book = new OutcomeBook({ now: () => time.wall, monotonic: () => time.monotonic, after: () => () => {} });
  book.failed('k', call('a'), 'refused', 'no');
  time.wall -= 5_000;
  const told = Array.from({ length: 5 }, () => {
    time.wall += 12;
    time.monotonic += 10.6;
    return book.of('k').a?.at;
  });
  expect(new Set(told).size).toBe(1);
});

it('keeps the latest of many, and nothing of what was forgotten', () => {
  const book = new OutcomeBook(new VirtualClock());
  for (let index = 0; index < 100; index++) book.done('k', call(`id-${index}`), index);
  expect(Object.keys(book.of('k'))).toEqual(Array.from({ length: 32 }, (_, index) => `id-${index + 68}`));
  book.clear('k', call('id-99'));
  expect(book.of('k')).not.toHaveProperty('id-99');
  book.forget('k');
  expect(book.of('k')).toEqual({});
});

it('knows an apply again by its object, not by the version that it was decided on', () => {
  const apply = (resourceVersion: string, value: string): ApplyAction => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { value } };
    return { do: 'apply', object, resourceVersion };
  };
  expect(actionDigest(apply('1', 'a'))).toBe(actionDigest(apply('2', 'a')));
  expect(actionDigest(apply('1', 'a'))).not.toBe(actionDigest(apply('1', 'b')));
});
