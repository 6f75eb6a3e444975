import { describe, expect, it } from 'vitest';
import { CfError } from '../cf-error.ts';
import { logQuery } from './log-query.ts';

const read = (query: string) => logQuery(new URLSearchParams(query));

describe('the query of a log', () => {
  it('means the oldest hundred lines when it says nothing', () => {
    expect(read('')).toEqual({
      start: -(2n ** 63n),
      end: undefined,
      limit: 100,
      descending: false,
      logs: true,
      gauges: false,
    });
  });

  it('is what cf logs --recent asks for', () => {
    expect(read('descending=true&envelope_types=LOG&limit=1000&start_time=-6795364578871345152')).toEqual({
      start: -6_795_364_578_871_345_152n,
      end: undefined,
      limit: 1000,
      descending: true,
      logs: true,
      gauges: false,
    });
  });

  it.each([
    ['envelope_types=GAUGE', { logs: false, gauges: true }],
    ['envelope_types=LOG&envelope_types=GAUGE', { logs: true, gauges: true }],
    ['envelope_types=ANY', { logs: true, gauges: true }],
    ['envelope_types=COUNTER', { logs: false, gauges: false }],
    ['end_time=5', { end: 5n }],
  ])('%s', (query, part) => expect(read(query)).toMatchObject(part));

  it.each([
    'limit=x',
    'limit=-1',
    'limit=1001',
    'start_time=now',
    'end_time=1.5',
    'descending=maybe',
    'envelope_types=X',
  ])('is refused: %s', (query) => expect(() => read(query)).toThrow(CfError));
});
