/** One exception of a chain of causes, as a stack trace names it. */
export interface Thrown {
  /** The name of its class. */
  readonly type: string;
  readonly message: string;
}

/**
 * The exceptions of a Java stack trace: the one that was thrown, then what caused it, down to the innermost that the trace
 * still has. Total: whatever is no trace has none.
 */
export function throwables(trace: string): readonly Thrown[] {
  const found: string[] = [];
  let told = true;
  for (const line of trace.split('\n')) {
    if (line.startsWith('Caused by: ') || (found.length === 0 && isNamed(line))) {
      found.push(line.replace(/^Caused by: /, ''));
      told = false;
    } else if (isPlace(line)) told = true;
    // A message may have several lines: all before the first place.
    else if (!told) found.push(`${found.pop()}\n${line}`);
  }
  return found.map(split);
}

/** Where something happened, or what was suppressed on the way: those lines are indented. */
function isPlace(line: string): boolean {
  return /^\s+(at |\.\.\. \d+ |Suppressed: |Caused by: |\[CIRCULAR REFERENCE)/.test(line);
}

const className = /^(?:[\w$]+\.)*[A-Z][\w$]*(?=:|\n|$)/;

function isNamed(line: string): boolean {
  return className.test(line.trimEnd());
}

function split(text: string): Thrown {
  const trimmed = text.trimEnd();
  const [type = ''] = className.exec(trimmed) ?? [];
  return { type, message: trimmed.slice(type.length).replace(/^:\s*/, '') };
}
