/** Longest text that is made of a trace for people. */
const longest = 500;
/** Of a trace that is kept, so that a cluster that fails all day costs little. */
const longestKept = 4096;

/**
 * What a Java stack trace says to a person: what was tried, and the innermost reason for its failure.
 * `Could not execute application: FileNotFoundException: Cannot find checkpoint …`
 */
export function summaryOf(trace: string): string {
  const lines = trace.split('\n').map((line) => line.trimEnd());
  const first = plain(lines.find((line) => line !== '' && !line.startsWith('<') && !isFrame(line)) ?? '');
  const causes = lines.filter((line) => line.startsWith('Caused by: '));
  const last = plain(causes.at(-1)?.slice('Caused by: '.length) ?? '');
  const text = last === '' || first.includes(last) ? first : `${first.replace(/[.:\s]+$/, '')}: ${last}`;
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** As much of a trace as is worth keeping: whole lines from its beginning. */
export function keptOf(trace: string): string {
  if (trace.length <= longestKept) return trace;
  const cut = trace.lastIndexOf('\n', longestKept);
  return trace.slice(0, cut > 0 ? cut : longestKept);
}

function isFrame(line: string): boolean {
  return /^\s*(at |\.\.\. \d+ more)/.test(line);
}

/** Without packages and without wrappers that only say that something inside failed. */
function plain(line: string): string {
  const wrapper =
    /^(?:[\w$]+\.)*(?:CompletionException|ExecutionException|RuntimeException|RestHandlerException): (?=[\w$.]*(?:Exception|Error):)/;
  let text = line;
  while (wrapper.test(text)) text = text.replace(wrapper, '');
  return text
    .replace(/^(?:[\w$]+\.)*(?:RestHandlerException|CompletionException): /, '')
    .replace(/^(?:[a-z][\w$]*\.)+([A-Z][\w$]*)/, '$1');
}
