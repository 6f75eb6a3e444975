import { stringify } from 'yaml';
import type { AnyObject } from '../../../src/kube/object.ts';

/** The YAML of an object, line by line. */
export function linesOf(object: AnyObject | undefined): string[] {
  return object ? stringify(object, { lineWidth: 0 }).split('\n') : [];
}

/** Written by the API server when nobody else does. */
const defaulted = /^(imagePullPolicy: IfNotPresent|protocol: TCP|terminationMessage\w+: .*|defaultMode: 420)$/;

/** A line without what depends on how it is written; undefined when it says nothing of its own. */
function plainLine(line: string): string | undefined {
  const plain = line
    .trim()
    .replace(/^(- )+/, '')
    .replaceAll(/['"]/g, '');
  const silent = plain === '' || /:( \{\})?$/.test(plain) || defaulted.test(plain);
  return silent || plain.startsWith('kubernetes.pod-template-file.') ? undefined : plain;
}

/** The recorded lines, without what depends on how they are written. */
export function theirDiff(diff: readonly string[]): string[] {
  return diff.flatMap((line) => {
    const plain = plainLine(line.slice(1));
    return plain === undefined ? [] : [`${line[0]}${plain}`];
  });
}

/** Lines that only one of them has, as often as it has them more. */
export function lineDiff(before: readonly string[], after: readonly string[]): string[] {
  const more = new Map<string, number>();
  for (const [lines, weight] of [
    [before, -1],
    [after, 1],
  ] as const) {
    for (const line of lines.flatMap((one) => plainLine(one) ?? [])) more.set(line, (more.get(line) ?? 0) + weight);
  }
  return [...more].flatMap(([line, times]) => Array<string>(Math.abs(times)).fill(`${times < 0 ? '-' : '+'}${line}`));
}
