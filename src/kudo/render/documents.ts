/** One YAML document of a rendered template. */
export interface Chunk {
  readonly text: string;
  /** The line of the rendered text that it begins in; the first is 1. */
  readonly line: number;
}

/** The documents of a text, without those that hold nothing or only comments. */
export function documentsOf(text: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let lines: string[] = [];
  let begun = 1;
  const end = (next: number): void => {
    if (lines.some(saysSomething)) chunks.push({ text: lines.join('\n'), line: begun });
    lines = [];
    begun = next;
  };
  text.split('\n').forEach((line, index) => {
    if (!/^---(?:\s|$)/.test(line)) {
      lines.push(line);
      return;
    }
    end(index + 2);
    const rest = line.slice(3);
    if (!saysSomething(rest)) return;
    lines.push(rest);
    begun = index + 1;
  });
  end(0);
  return chunks;
}

function saysSomething(line: string): boolean {
  const text = line.trim();
  return text !== '' && !text.startsWith('#');
}
