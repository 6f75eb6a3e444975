import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Pod } from '../kinds/objects/pod.ts';
import { runScript } from './shell.ts';

async function run(
  script: string,
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  const clock = new VirtualClock();
  const text = { stdout: '', stderr: '' };
  const written = new Map<string, Uint8Array>([['/a', Buffer.from('content\n')]]);
  let over = false;
  const running = runScript(script, {
    pod: { metadata: { name: 'box' } } as Pod,
    container: { name: 'c' },
    env,
    files: {
      read: (path) => written.get(path),
      list: (path) => (path === '/' ? ['a'] : undefined),
      write: (path, content) => {
        if (path.startsWith('/read-only')) return 'Read-only file system';
        written.set(path, content);
        return undefined;
      },
    },
    clock,
    random: seededRandom(1),
    write: (stream, part) => {
      text[stream] += Buffer.from(part).toString();
    },
    pause: (ms) =>
      new Promise((resolve) => {
        clock.after(ms, resolve);
      }),
    readInput: async () => '',
  }).finally(() => {
    over = true;
  });
  await clock.runUntil(() => over, 60_000);
  return { code: over ? await running : -1, out: text.stdout, err: text.stderr };
}

describe('the small shell', () => {
  it('runs out of memory before everybody else does', async () => {
    const { code, err } = await run('x=ab; while true; do x=$x$x; done');
    expect({ code, err }).toEqual({ code: 2, err: 'sh: out of memory\n' });
  });

  it.each([
    ['echo a; echo b', 0, 'a\nb\n'],
    ['true && echo yes || echo no', 0, 'yes\n'],
    ['false && echo yes || echo no', 0, 'no\n'],
    ['false', 1, ''],
    ['exit 9; echo never', 9, ''],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
    ['echo "$A-${B}"', 0, '1-2\n'],
    ["echo '$A'", 0, '$A\n'],
    ['echo \\$A "\\$B"', 0, '$A $B\n'],
    ['X=5; echo $X$?', 0, '50\n'],
    ['for x in a b c; do echo $x; done', 0, 'a\nb\nc\n'],
    ['if [ "$A" = 1 ]; then echo one; else echo other; fi', 0, 'one\n'],
    ['if test -f /a; then cat /a; fi', 0, 'content\n'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's own
    ['N=; while [ "$N" != xx ]; do N=${N}x; echo $N; done', 0, 'x\nxx\n'],
    ['printf "%s-%s\\n" a b', 0, 'a-b\n'],
    ['echo -n x', 0, 'x'],
    ['# nothing\necho # here\n', 0, '\n'],
    ['sleep 1m; echo woke', 0, 'woke\n'],
    ['ls /', 0, 'a\n'],
    ['echo one > /x; echo two >> /x; echo "a > b" >>/x; cat /x', 0, 'one\ntwo\na > b\n'],
    ['echo one>/x two; cat /x; echo new >/x; cat /x', 0, 'one two\nnew\n'],
    ['F=/y; printf "%s\\n" v > $F && cat $F', 0, 'v\n'],
    ['> /empty; stat -c %s /empty', 0, '0\n'],
    ['cat /nope 2> /err; cat /err', 0, "cat: can't open '/nope': No such file or directory\n"],
    ['cat /nope 2>/dev/null || echo hushed; cat /dev/null 2>/dev/null', 1, 'hushed\n'],
    ['stat -c "%n has %s, %F 100%%" /a', 0, '/a has 8, regular file 100%\n'],
    ['mkdir -p /b; stat -c %F /', 0, 'directory\n'],
    ['', 0, ''],
  ])('runs %j', async (script, code, out) => {
    expect(await run(script, { A: '1', B: '2' })).toEqual({ code, out, err: '' });
  });

  it.each([
    ['for x in', 2, /syntax error/],
    ['while true', 2, /expecting "do"/],
    ['echo a | cat', 2, /syntax error: unexpected "\|"/],
    ['nope', 127, /sh: nope: not found/],
    ['sleep soon', 1, /invalid number/],
    ['echo a >', 2, /syntax error: unexpected redirection/],
    ['echo a > /read-only/x', 1, /sh: can't create \/read-only\/x: Read-only file system/],
    ['stat -c %s /nope', 1, /stat: can't stat '\/nope': No such file or directory/],
    ['tar xf -', 1, /only "tar cf - PATH…" is known here/],
    ['tar cf - /nope', 1, /tar: \/nope: No such file or directory/],
  ])('refuses %j', async (script, code, message) => {
    const result = await run(script);
    expect(result.code).toBe(code);
    expect(result.err).toMatch(message);
  });

  it('lets the world go on during a loop without a pause', async () => {
    expect((await run('while true; do true; done')).code).toBe(-1);
  });

  it('never breaks, whatever it is given', async () => {
    const piece = fc.constantFrom(
      'echo',
      'while',
      'do',
      'done',
      'if',
      'then',
      'fi',
      'for',
      'in',
      ';',
      '&&',
      '||',
      "'",
      '"',
      '$A',
      '$',
      '\\',
      '\n',
      'exit',
      '(',
      '|',
      '>',
      '2>>',
      '=',
      'a',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(' ')),
        ),
        async (script) => {
          expect((await run(script)).code).toBeTypeOf('number');
        },
      ),
      { numRuns: 200 },
    );
  });
});
