import { isIPv4, isIPv6 } from 'node:net';

const uuid = (third: string, fourth: string): RegExp =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i');

const matches =
  (pattern: RegExp) =>
  (value: string): boolean =>
    pattern.test(value);

/** The string formats that the API server checks, under their names without dashes. Others are ignored, as there. */
const formats: Readonly<Record<string, (value: string) => boolean>> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  uri: (value) => isRequestUri(value),
  email: matches(/^(?:[^<>@\s]+@[^<>@\s]+|[^<>]*<[^<>@\s]+@[^<>@\s]+>)$/),
  hostname: (value) => value.length <= 255 && value.split('.').every((part) => part.length <= 63) && host.test(value),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: (value) => isCidr(value),
  mac: matches(
    /^(?:[0-9a-f]{2}([:-]))(?:[0-9a-f]{2}\1){4}(?:[0-9a-f]{2}\1){0,2}[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2,3}[0-9a-f]{4}$/i,
  ),
  uuid: matches(uuid('[0-9a-f]{4}', '[0-9a-f]{4}')),
  uuid3: matches(uuid('3[0-9a-f]{3}', '[0-9a-f]{4}')),
  uuid4: matches(uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}')),
  uuid5: matches(uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}')),
  isbn: (value) => isIsbn10(value) || isIsbn13(value),
  isbn10: (value) => isIsbn10(value),
  isbn13: (value) => isIsbn13(value),
  creditcard: (value) => isCreditCard(value),
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matches(
    /^rgb\(\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  password: () => true,
  date: (value) => isDate(value),
  duration: (value) => isDuration(value),
  datetime: (value) => isDateTime(value),
  k8sshortname: (value) => value.length <= 63 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/.test(value),
  k8slongname: (value) =>
    value.length <= 253 && /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/.test(value),
};

const host =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

/** The check for a string format; `undefined` for one that the server does not know and therefore ignores. */
export function stringFormat(format: string): ((value: string) => boolean) | undefined {
  const name = format.replaceAll('-', '');
  return Object.hasOwn(formats, name) ? formats[name] : undefined;
}

function isDate(value: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 100) date.setUTCFullYear(year);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function isDateTime(value: string): boolean {
  const [date = '', time = ''] = value.toLowerCase().split('t');
  const parts = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  if (!parts || !isDate(date)) return false;
  return (parts[1] ?? '') <= '23' && (parts[2] ?? '') <= '59' && (parts[3] ?? '') <= '59';
}

const goDuration = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const unit = /^(?:ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*)$/i;

/** Go's duration, or the looser `5 minutes`, `2 days`. */
function isDuration(value: string): boolean {
  if (goDuration.test(value)) return true;
  for (const found of value.matchAll(/\d+\s*([A-Za-zµ]+)/g)) if (unit.test(found[1] ?? '')) return true;
  return false;
}

function isCidr(value: string): boolean {
  const slash = value.lastIndexOf('/');
  const bits = value.slice(slash + 1);
  if (slash < 0 || !/^\d{1,3}$/.test(bits)) return false;
  const address = value.slice(0, slash);
  return (isIPv4(address) && Number(bits) <= 32) || (isIPv6(address) && Number(bits) <= 128);
}

function isRequestUri(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a URI may not contain
  if (value === '' || /[\u0000-\u0020\u007f]/.test(value)) return false;
  if (value === '*') return true;
  if (/%(?![0-9a-fA-F]{2})/.test(value)) return false;
  return value.startsWith('/') || /^[a-zA-Z][a-zA-Z0-9+.-]*:./.test(value);
}

function isIsbn10(value: string): boolean {
  const digits = value.replace(/[\s-]+/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, i) => total + (digit === 'X' ? 10 : Number(digit)) * (i + 1), 0);
  return sum % 11 === 0;
}

function isIsbn13(value: string): boolean {
  const digits = value.replace(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const cards =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(value: string): boolean {
  const digits = value.replace(/\D+/g, '');
  if (!cards.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, i) => {
    const doubled = i % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
