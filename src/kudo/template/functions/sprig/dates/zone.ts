/** Where clocks show what: how far they are ahead of UTC at a moment, in seconds, and what that is called. */
export interface Zone {
  at(seconds: number): { readonly offset: number; readonly name: string };
}

export const UTC: Zone = { at: () => ({ offset: 0, name: 'UTC' }) };

export function fixedZone(name: string, offset: number): Zone {
  return { at: () => ({ offset, name }) };
}

/** Zones that JavaScript takes for UTC, while Go keeps their name. */
const GREENWICH = /^(?:Etc\/)?(?:GMT[+-]?0?|Greenwich)$/;

/**
 * The zone of that name. The local zone is UTC: a template must render the same on every machine. Go takes UTC for what
 * it does not know, so does this.
 */
export function zoneOf(name: string): Zone {
  if (name === '' || name === 'UTC' || name === 'Local') return UTC;
  if (GREENWICH.test(name)) return fixedZone('GMT', 0);
  try {
    return namedZone(
      new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }),
      new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'long' }),
    );
  } catch {
    return UTC;
  }
}

/**
 * What times are called, by their long names. All others have only an offset for a name; a few zones, such as Minsk and
 * Colombo, have one only here and not in Go.
 */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['Alaska Standard Time', 'AKST'],
  ['Alaska Daylight Time', 'AKDT'],
  ['Atlantic Standard Time', 'AST'],
  ['Atlantic Daylight Time', 'ADT'],
  ['Australian Central Standard Time', 'ACST'],
  ['Australian Central Daylight Time', 'ACDT'],
  ['Australian Eastern Standard Time', 'AEST'],
  ['Australian Eastern Daylight Time', 'AEDT'],
  ['Australian Western Standard Time', 'AWST'],
  ['Australian Western Daylight Time', 'AWDT'],
  ['British Summer Time', 'BST'],
  ['Central Africa Time', 'CAT'],
  ['Central European Standard Time', 'CET'],
  ['Central European Summer Time', 'CEST'],
  ['Central Standard Time', 'CST'],
  ['Central Daylight Time', 'CDT'],
  ['Chamorro Standard Time', 'ChST'],
  ['China Standard Time', 'CST'],
  ['Cuba Standard Time', 'CST'],
  ['Cuba Daylight Time', 'CDT'],
  ['East Africa Time', 'EAT'],
  ['Eastern European Standard Time', 'EET'],
  ['Eastern European Summer Time', 'EEST'],
  ['Eastern Indonesia Time', 'WIT'],
  ['Eastern Standard Time', 'EST'],
  ['Eastern Daylight Time', 'EDT'],
  ['Greenwich Mean Time', 'GMT'],
  ['Hawaii-Aleutian Standard Time', 'HST'],
  ['Hawaii-Aleutian Daylight Time', 'HDT'],
  ['Hong Kong Standard Time', 'HKT'],
  ['India Standard Time', 'IST'],
  ['Irish Standard Time', 'IST'],
  ['Israel Standard Time', 'IST'],
  ['Israel Daylight Time', 'IDT'],
  ['Japan Standard Time', 'JST'],
  ['Korean Standard Time', 'KST'],
  ['Mexican Pacific Standard Time', 'MST'],
  ['Mexican Pacific Daylight Time', 'MDT'],
  ['Moscow Standard Time', 'MSK'],
  ['Moscow Summer Time', 'MSD'],
  ['Mountain Standard Time', 'MST'],
  ['Mountain Daylight Time', 'MDT'],
  ['New Zealand Standard Time', 'NZST'],
  ['New Zealand Daylight Time', 'NZDT'],
  ['Newfoundland Standard Time', 'NST'],
  ['Newfoundland Daylight Time', 'NDT'],
  ['Pacific Standard Time', 'PST'],
  ['Pacific Daylight Time', 'PDT'],
  ['Pakistan Standard Time', 'PKT'],
  ['Philippine Standard Time', 'PST'],
  ['American Samoa Standard Time', 'SST'],
  ['South Africa Standard Time', 'SAST'],
  ['Taiwan Standard Time', 'CST'],
  ['West Africa Standard Time', 'WAT'],
  ['West Africa Time', 'WAT'],
  ['Western European Standard Time', 'WET'],
  ['Western European Summer Time', 'WEST'],
  ['Western Indonesia Time', 'WIB'],
  ['Central Indonesia Time', 'WITA'],
  ['Yukon Time', 'MST'],
  ['Coordinated Universal Time', 'UTC'],
]);

function namedZone(offsets: Intl.DateTimeFormat, names: Intl.DateTimeFormat): Zone {
  return {
    at(seconds) {
      const date = new Date(Math.min(Math.max(seconds, -8.64e12), 8.64e12) * 1000);
      const offset = offsetOf(namePart(offsets, date));
      return { offset, name: SHORT.get(namePart(names, date)) ?? numeric(offset) };
    },
  };
}

function namePart(format: Intl.DateTimeFormat, date: Date): string {
  return format.formatToParts(date).find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** `GMT+05:30` and `GMT-00:01:15`, in seconds. */
function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

/** `+03`, `-0330`. */
function numeric(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  const rest = minutes % 60 === 0 ? '' : String(minutes % 60).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hours}${rest}`;
}
