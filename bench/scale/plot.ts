import type { AtRest } from './at-rest.ts';

const width = 50;

/** Memory and CPU by size, as bars: of something that grows linearly they grow as the sizes do. */
export function plot(measured: readonly AtRest[]): string {
  const bars = (title: string, unit: string, digits: number, figure: (one: AtRest) => number): readonly string[] => {
    const most = Math.max(...measured.map(figure));
    return [
      title,
      ...measured.map((one) => {
        const value = figure(one);
        const bar = '█'.repeat(Math.max(1, Math.round((value / most) * width)));
        return `${one.size.toLocaleString('en').padStart(8)} │${bar} ${value.toFixed(digits)} ${unit}`;
      }),
    ];
  };
  return [
    ...bars('resident memory at rest', 'MiB', 0, (one) => one.residentMiB),
    ...bars('heap in use at rest', 'MiB', 0, (one) => one.heapMiB),
    ...bars('CPU at rest', 'cores', 4, (one) => one.cores),
    ...bars('from start to work', 's', 1, (one) => one.syncMs / 1000),
  ].join('\n');
}
