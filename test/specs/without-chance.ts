import { isObject } from '../../src/change/equal.ts';

/**
 * The same without what differs between two runs that do the same: ids, times, counts of attempts, which of two sides serves, and
 * which member was written first.
 */
export function withoutChance(value: unknown): unknown {
  if (typeof value === 'string') return textWithoutChance(value);
  if (typeof value === 'number') return value >= 1e12 && value < 1e13 ? 'TIME' : value;
  if (Array.isArray(value)) return value.map(withoutChance);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, memberWithoutChance(key, withoutChance(member))] as const)
      .filter(([, member]) => member !== undefined),
  );
}

/** Numbers of revisions and generations, and where a job started the last time. */
function memberWithoutChance(key: string, value: unknown): unknown {
  if (key === 'cutover.dev/highest-app-rev') return undefined;
  if (key === 'initialSavepointPath' && typeof value === 'string' && value.endsWith('SAVEPOINT')) return undefined;
  const counts = /app-rev$|generation$|deployment\.kubernetes\.io\/revision$|(^|\/)version$/;
  return typeof value === 'string' && /^\d+$/.test(value) && counts.test(key) ? 'N' : value;
}

function textWithoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}([-/]\d+\b)?/g, 'UID')
    .replaceAll(/[0-9a-f]{32}/g, 'HEX')
    .replaceAll(/savepoint-([0-9a-f]{6}-[0-9a-f]{12}|[0-9a-f]{10}\b)/g, 'SAVEPOINT')
    .replaceAll(/\d{4}-\d\d-\d\dT([\d:.]+Z|\d\d-\d\d-\d\d)/g, 'TIME')
    .replaceAll(/\b\d{13}\b/g, 'TIME')
    .replaceAll(/execution\.(savepoint|state-recovery)\.path: \S*?\n/g, '')
    .replaceAll(/"initialSavepointPath":"[^"]*SAVEPOINT",?/g, '')
    .replaceAll(/-(blue|green)\b/g, '-SIDE')
    .replaceAll(/^(BLUE|GREEN)$/g, 'SIDE')
    .replaceAll(/"(BLUE|GREEN)"/g, '"SIDE"')
    .replaceAll(/(app-rev":"|-env-)\d+/g, '$1N')
    .replaceAll(/,"cutover.dev\/highest-app-rev":"\d+"/g, '')
    .replaceAll(/-[0-9a-f]{10}\b/g, '-HASH')
    .replaceAll(/^10(\.\d+){3}$/g, 'IP')
    .replaceAll(/generation:\d+/g, 'generation:N')
    .replaceAll(/([a-z./-]*generation)":"\d+"/g, '$1":"N"');
}
