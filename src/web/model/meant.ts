import type { Summary } from '../../portrait/summary.ts';
import { nearNames } from '../../portrait/text/near-names.ts';

/** The workloads that somebody may have meant by an id that leads nowhere: those of a like name, wherever they are. */
export function meant(id: string, summaries: readonly Summary[], most = 5): readonly Summary[] {
  const wanted = id.split('/').at(-1) ?? '';
  const namesOf = ({ subject }: Summary): readonly string[] => [subject.name, subject.title ?? subject.name];
  const near = nearNames(wanted, [...new Set(summaries.flatMap(namesOf))]);
  return near.flatMap((name) => summaries.filter((one) => namesOf(one).includes(name))).slice(0, most);
}
