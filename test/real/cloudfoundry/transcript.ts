import type { Step } from './cf.ts';

/** What differs between any two runs, and what stands for it: of the same width, so that columns stay as they are. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, '2026-01-01T00:00:00'],
  [/(?<=T00:00:00)\.\d\d\b/g, '.00'],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)(,?) \d\d ([A-Z][a-z]{2}) /g, 'Thu$2 01 Jan '],
  [/(?<=01 Jan )\d\d:\d\d:\d\d UTC \d{4}/g, '00:00:00 UTC 2026'],
  [/(?<=01 Jan )\d{4} \d\d:\d\d:\d\d UTC/g, '2026 00:00:00 UTC'],
  // Where the API answers: a port of the machine, or the address of a Service when the operator is installed.
  [/(?<=https?:\/\/)(127\.0\.0\.1:\d+|10\.\d+\.\d+\.\d+)/g, '127.0.0.1:8443'],
  // The name of an instance goes on with a piece of the space's GUID and a hash.
  [/(?<=-\d{12})-[0-9a-f]{3}-[0-9a-f]{10}(?=-\d+\b)/g, '-000-0000000000'],
  [/(?<=\d )(from )?\b10\.\d+\.\d+\.\d+:\d+/g, '$110.0.0.1:50000'],
];

const guid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** A session as people would find it in their terminal, the same for any two runs as far as they did the same. */
export class Transcript {
  readonly #entries: (Promise<Step> | string)[] = [];

  readonly hear = (step: Promise<Step>): void => {
    this.#entries.push(step);
  };

  /** A line of the reader's, between the commands. */
  say(text: string): void {
    this.#entries.push(text);
  }

  /** Sections of Markdown: what is said, then the commands after it. */
  async text(): Promise<string> {
    const guids = new Map<string, string>();
    const stand = (found: string): string => {
      const number = guids.get(found) ?? String(guids.size + 1).padStart(12, '0');
      guids.set(found, number);
      return `00000000-0000-0000-0000-${number}`;
    };
    const parts: string[] = [];
    let open = false;
    const fence = (wanted: boolean): void => {
      if (open !== wanted) parts.push(wanted ? '```console' : '```\n');
      open = wanted;
    };
    for (const entry of this.#entries) {
      if (typeof entry === 'string') {
        fence(false);
        parts.push(`${entry}\n`);
        continue;
      }
      fence(true);
      const { command, text, exitCode } = await entry;
      const shown = withoutRepetitions(normalised(text.replaceAll(guid, stand)));
      const end = exitCode === 0 ? '' : `\n(exit code ${exitCode})`;
      parts.push(`$ ${normalised(command)}\n${shown}${end}\n`);
    }
    fence(false);
    return `${parts
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .replaceAll('\n\n```\n', '\n```\n')
      .trimEnd()}\n`;
  }
}

function normalised(text: string): string {
  let plain = text;
  for (const [pattern, stand] of rules) plain = plain.replaceAll(pattern, stand);
  return plain
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** How often a program says that it still waits is a matter of time. */
function withoutRepetitions(text: string): string {
  return text
    .split('\n')
    .filter((line, index, lines) => line !== 'Instances starting...' || !lines.slice(0, index).includes(line))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n');
}

/**
 * What must be the same in two transcripts of the same session: the commands, how they ended, and what they said, save for
 * what depends on when they looked (rows of instances, of tasks and of the log) and numbers of requests.
 */
export function gist(transcript: string): readonly string[] {
  const fleeting = [
    /^ *#\d/,
    /^ *state +since/,
    /^instances:/,
    /^(Instances starting|Error starting instances)/,
    /^ *(Staging (the image|complete)|The image could not be inspected yet)/,
    /\[[A-Z]+\/.*\] (OUT|ERR)/,
    /requests/,
  ];
  return transcript
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '' && !fleeting.some((pattern) => pattern.test(line)));
}
