/** Lines around a change that are shown with it. */
const context = 3;

/** More lines than this are not compared one by one. */
const most = 4000;

/** A line, and on which side it is. */
interface Edit {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** What differs between two texts, as `diff -u` shows it, without the lines that name files; empty when nothing does. */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return '';
  const edits = editsOf(linesOf(before), linesOf(after));
  const lines: string[] = [];
  let [old, now] = [1, 1];
  let index = 0;
  while (index < edits.length) {
    const first = edits.findIndex(({ mark }, at) => at >= index && mark !== ' ');
    if (first < 0) break;
    const start = Math.max(index, first - context);
    [old, now] = advance(edits.slice(index, start), old, now);
    const end = endOfHunk(edits, first);
    const hunk = edits.slice(start, end);
    const [left, right] = ['+', '-'].map((other) => hunk.filter(({ mark }) => mark !== other).length) as [
      number,
      number,
    ];
    lines.push(
      `@@ -${rangeOf(old, left)} +${rangeOf(now, right)} @@`,
      ...hunk.map(({ mark, text }) => `${mark}${text}`),
    );
    [old, now] = advance(hunk, old, now);
    index = end;
  }
  return `${lines.join('\n')}\n`;
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function rangeOf(start: number, count: number): string {
  return count === 0 ? `${start - 1},0` : `${start},${count}`;
}

function advance(edits: readonly Edit[], old: number, now: number): [number, number] {
  return [old + edits.filter(({ mark }) => mark !== '+').length, now + edits.filter(({ mark }) => mark !== '-').length];
}

/** A hunk goes on as long as the next change is near enough that their surroundings touch. */
function endOfHunk(edits: readonly Edit[], first: number): number {
  let last = first;
  for (let at = first; at < edits.length && at <= last + 2 * context; at++) if (edits[at]?.mark !== ' ') last = at;
  return Math.min(edits.length, last + 1 + context);
}

/** Equal lines at both ends are left aside; the rest is compared by its longest common subsequence. */
function editsOf(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const isTail = (): boolean =>
    tail < before.length - head && tail < after.length - head && before.at(-1 - tail) === after.at(-1 - tail);
  while (isTail()) tail++;
  const same = (lines: readonly string[]): Edit[] => lines.map((text) => ({ mark: ' ', text }));
  return [
    ...same(before.slice(0, head)),
    ...between(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

function between(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const removed = before.map((text): Edit => ({ mark: '-', text }));
  const added = after.map((text): Edit => ({ mark: '+', text }));
  if (before.length * after.length > most * most) return [...removed, ...added];
  // lengths[i][j]: of the longest common subsequence of before[i…] and after[j…].
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const down = lengths[(i + 1) * width + j] ?? 0;
      const right = lengths[i * width + j + 1] ?? 0;
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      lengths[i * width + j] = before[i] === after[j] ? both : Math.max(down, right);
    }
  }
  const edits: Edit[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i], after[j]];
    if (left !== undefined && left === right) {
      edits.push({ mark: ' ', text: left });
      i++;
      j++;
    } else if (
      right === undefined ||
      (left !== undefined && (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      edits.push({ mark: '-', text: left ?? '' });
      i++;
    } else {
      edits.push({ mark: '+', text: right });
      j++;
    }
  }
  return edits;
}
