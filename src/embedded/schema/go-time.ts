/** An instant as a typed decoder reads it: in the spelling it is stored in, or what is wrong with it. */
export type ReadTime = { readonly text: string } | { readonly wrong: string };

/** How precisely a field tells time: to the second, whatever fraction is written; or to exactly the microsecond. */
export type Precision = 'second' | 'micro';

const seconds: readonly string[] = ['2006', '-', '01', '-', '02', 'T', '15', ':', '04', ':', '05', 'Z07:00'];
const layouts: Readonly<Record<Precision, readonly string[]>> = {
  second: seconds,
  micro: [...seconds.slice(0, -1), '.000000', 'Z07:00'],
};

/** What each part of a layout takes from the beginning of the rest. */
const parts: Readonly<Record<string, RegExp>> = {
  '2006': /^\d{4}/,
  '.000000': /^\.\d{6}/,
  'Z07:00': /^(?:Z|[+-]\d\d:\d\d)/,
};
const twoDigits = /^\d\d/;

/** Reads an RFC 3339 time as Go does, with Go's words for what is wrong. */
export function readTime(given: string, precision: Precision): ReadTime {
  const layout = layouts[precision];
  const shown = JSON.stringify(given);
  const found: Record<string, string> = {};
  let rest = given;
  for (const part of layout) {
    const pattern = /^\d\d$/.test(part) ? twoDigits : parts[part];
    const taken = pattern ? pattern.exec(rest)?.[0] : rest.startsWith(part) ? part : undefined;
    if (taken === undefined) {
      return {
        wrong: `parsing time ${shown} as "${layout.join('')}": cannot parse ${JSON.stringify(rest)} as "${part}"`,
      };
    }
    found[part] = taken;
    rest = rest.slice(taken.length);
    // After the seconds a fraction is welcome even where the layout has none.
    if (part === '05' && precision === 'second') rest = rest.replace(/^[.,]\d+/, '');
  }
  const range = outOfRange(found);
  if (range) return { wrong: `parsing time ${shown}: ${range} out of range` };
  if (rest !== '') return { wrong: `parsing time ${shown}: extra text: ${JSON.stringify(rest)}` };
  const zone = found['Z07:00'] as string;
  if (zone === 'Z') {
    const fraction = precision === 'micro' ? found['.000000'] : '';
    return { text: `${given.slice(0, 19)}${fraction}Z` };
  }
  const utc = new Date(`${given.slice(0, 19)}${zone}`).toISOString().slice(0, 19);
  return { text: `${utc}${found['.000000'] ?? ''}Z` };
}

function outOfRange(found: Readonly<Record<string, string>>): string | undefined {
  const [year, month, day] = [Number(found['2006']), Number(found['01']), Number(found['02'])];
  if (month < 1 || month > 12) return 'month';
  if (Number(found['15']) > 23) return 'hour';
  if (Number(found['04']) > 59) return 'minute';
  if (Number(found['05']) > 59) return 'second';
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return 'day';
  const [, hours = 0, minutes = 0] = (/(\d\d):(\d\d)$/.exec(found['Z07:00'] ?? '') ?? []).map(Number);
  if (hours > 24 || minutes > 60) return 'time zone offset hour';
  return undefined;
}
