import { FunctionFailure, type GoFunction } from '../../function.ts';
import { GoInt, GoObject, type GoValue } from '../../value.ts';
import { parseDuration } from './dates/duration.ts';
import { formatted, type Moment, momentOf, timeOf, ZERO } from './dates/moment.ts';
import { parseTime } from './dates/parse-time.ts';
import { UTC, zoneOf } from './dates/zone.ts';
import { define, slow } from './define.ts';

const HTML = '2006-01-02';
const BILLION = 1_000_000_000n;

/** Units of work to ask for a zone and what its clocks show, which takes about a millisecond. */
const ZONE = 100_000;

const dateInZone = slow(
  10,
  define(['string', 'interface {}', 'string'], ([layout, date, zone], room) => {
    room.work(ZONE);
    return formatted({ ...momentIn(date), zone: zoneOf(zone) }, layout);
  }),
);

const dateModify = define(['string', 'time.Time'], ([duration, time]) => {
  const nanoseconds = parseDuration(duration);
  return nanoseconds === undefined ? time : timeOf(later(momentOf(time), nanoseconds));
});

/** Times that come from the template's own values. Nothing here reads a clock, and the local zone is UTC. */
export const DATES: Readonly<Record<string, GoFunction>> = {
  ago: define(['interface {}'], () => {
    throw noClock('ago');
  }),
  date: slow(
    10,
    define(['string', 'interface {}'], ([layout, date]) => formatted({ ...momentIn(date), zone: UTC }, layout)),
  ),
  dateInZone,
  dateModify,
  date_in_zone: dateInZone,
  date_modify: dateModify,
  htmlDate: define(['interface {}'], ([date]) => formatted({ ...momentIn(date), zone: UTC }, HTML)),
  htmlDateInZone: define(['interface {}', 'string'], ([date, zone], room) => {
    room.work(ZONE);
    return formatted({ ...momentIn(date), zone: zoneOf(zone) }, HTML);
  }),
  now: define([], () => {
    throw noClock('now');
  }),
  toDate: slow(
    10,
    define(['string', 'string'], ([layout, text]) => timeOf(parseTime(layout, text) ?? ZERO)),
  ),
  unixEpoch: define(['time.Time'], ([time]) => String(momentOf(time).seconds)),
};

/** A time, or seconds since 1970. Go takes the present for all else, floats included. */
function momentIn(value: GoValue): Moment {
  if (value instanceof GoObject && value.type === 'time.Time') return momentOf(value);
  if (value instanceof GoInt && ['int', 'int32', 'int64'].includes(value.type)) {
    return { seconds: Number(value.value), nanoseconds: 0, zone: UTC };
  }
  throw new FunctionFailure(
    'the value is no time, so Go would take the present, but templates have no clock: ' +
      'they must render the same each time. Give it a time of toDate, or seconds since 1970 made with int64',
  );
}

function later({ seconds, nanoseconds, zone }: Moment, by: bigint): Moment {
  const sum = BigInt(seconds) * BILLION + BigInt(nanoseconds) + by;
  const rest = ((sum % BILLION) + BILLION) % BILLION;
  return { seconds: Number((sum - rest) / BILLION), nanoseconds: Number(rest), zone };
}

function noClock(name: string): FunctionFailure {
  return new FunctionFailure(
    `${name} needs a clock, and templates have none: an object that changes with every rendering would be applied, ` +
      'and its pods restarted, again and again. Give the time as a parameter and read it with toDate',
  );
}
