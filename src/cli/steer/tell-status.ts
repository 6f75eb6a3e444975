import type { Summary } from '../../portrait/summary.ts';
import { printed } from './render/line.ts';
import { statusLine } from './render/news.ts';
import type { SteerShell } from './steer-shell.ts';

/** Prints how a workload is whenever that reads differently than before. */
export function tellStatus(shell: SteerShell, color: boolean): (summary: Summary) => void {
  let last = '';
  return (summary) => {
    const { kind, name, title } = summary.subject;
    const line = [{ text: `${kind} ${title ?? name} ` }, statusLine(summary)];
    const text = printed(line, { width: Number.POSITIVE_INFINITY, color });
    if (text !== last) shell.write(`${text}\n`);
    last = text;
  };
}
