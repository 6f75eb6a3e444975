import type { Pod } from '../../kinds/objects/pod.ts';

export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';

/** Which part of an indexed Job a pod works on. */
export function indexOf(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** `1,3-5,7` as numbers. */
export function parseIndexes(text: string | undefined): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',').filter(Boolean)) {
    const [from = 0, to = from] = part.split('-').map(Number);
    for (let index = from; index <= to; index++) indexes.add(index);
  }
  return indexes;
}

/** Numbers as `1,3-5,7`: runs of three and more, and pairs, are joined. */
export function formatIndexes(indexes: Iterable<number>): string {
  const parts: string[] = [];
  let run: [number, number] | undefined;
  const close = (): void => {
    if (!run) return;
    const [from, to] = run;
    parts.push(from === to ? String(from) : to === from + 1 ? `${from},${to}` : `${from}-${to}`);
  };
  for (const index of [...indexes].sort((a, b) => a - b)) {
    if (run && index === run[1] + 1) run[1] = index;
    else {
      close();
      run = [index, index];
    }
  }
  close();
  return parts.join(',');
}
