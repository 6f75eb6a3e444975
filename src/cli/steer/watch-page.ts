import type { Session } from '../../portrait/text/session.ts';
import type { Page } from '../../portrait/wire.ts';
import type { Found } from './find-subject.ts';
import { aroundOver } from './gather.ts';
import { type Live, live } from './live.ts';
import { pageFrom } from './page-of.ts';
import type { Line } from './render/line.ts';
import { newsLines } from './render/news.ts';
import { pageLines } from './render/page.ts';
import { frameOf, type Scene, writeLines } from './scene.ts';
import { Screen } from './screen.ts';
import type { SteerShell } from './steer-shell.ts';
import { mending } from './told.ts';

/** No more often, or it flickers; no less, or countdowns stand still. */
const [shortestMs, longestMs] = [200, 1000];

/** Shows a page until Ctrl-C or until the object is gone: over itself on a terminal, else as lines about what is different. */
export async function watchPage(session: Session<SteerShell>, scene: Scene, found: Found): Promise<void> {
  const { shell } = session;
  const { clock, random, program } = shell;
  const end = new AbortController();
  const signal = AbortSignal.any([shell.stopping(), end.signal]);
  let wake: (() => void) | undefined;
  let different = false;
  const changed = (): void => {
    different = true;
    wake?.();
  };
  const seen = live(found, { client: scene.client, clock, random, signal, changed });
  const show = session.format ? documents(session) : shell.isTerminal ? screenful(shell, scene.color) : told(shell);
  using _ = show;
  const offResize = shell.onResize(changed);
  try {
    await Promise.race([seen.ready, until(signal)]);
    while (!signal.aborted) {
      different = false;
      const object = seen.object();
      // What is known stays on the page while the server is away.
      if (!object && !seen.trouble()) break;
      if (object) {
        const { namespace = 'default' } = object.metadata;
        const around = aroundOver({ namespace, beside: seen.beside(), now: clock.now() });
        show.page(pageFrom(found.workload, object, { around, events: seen.events(), program }), troubleOf(seen));
      }
      await pause(shortestMs);
      if (!signal.aborted && !different) await pause(longestMs - shortestMs, true);
    }
  } finally {
    offResize();
    end.abort();
  }
  if (!shell.stopping().aborted) {
    const { name } = found.object.metadata;
    session.note(`${found.workload.type.kind} ${name} is gone`);
  }

  function pause(ms: number, untilChanged = false): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel();
        wake = undefined;
        signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = clock.after(ms, done);
      if (untilChanged) wake = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }
}

interface Show extends Disposable {
  page(page: Page, trouble: string | undefined): void;
}

function screenful(shell: SteerShell, color: boolean): Show {
  const screen = new Screen(shell, color);
  let columns = shell.columns;
  return {
    page: (page, trouble) => {
      if (columns !== shell.columns) screen.forget();
      columns = shell.columns;
      const warning: readonly Line[] = trouble ? [[{ text: trouble, tone: 'failed' }]] : [];
      screen.draw([...warning, ...pageLines(page, frameOf(shell), shell.rows - 1 - warning.length)]);
    },
    [Symbol.dispose]: () => screen[Symbol.dispose](),
  };
}

/** The page once, then a line for everything that is different. */
function told(shell: SteerShell): Show {
  let before: Page | undefined;
  let troubled: string | undefined;
  return {
    page: (page, trouble) => {
      const frame = frameOf(shell);
      writeLines(shell, before ? newsLines(before, page, frame.now) : pageLines(page, frame), false);
      if (trouble !== undefined && trouble !== troubled) writeLines(shell, [[{ text: trouble }]], false);
      troubled = trouble;
      before = page;
    },
    [Symbol.dispose]: () => {},
  };
}

/** A document for each page that is different. */
function documents(session: Session<SteerShell>): Show {
  let last = '';
  return {
    page: (page) => {
      const text = JSON.stringify(page);
      if (text === last) return;
      if (session.format === 'yaml') session.shell.write('---\n');
      session.answer(page);
      last = text;
    },
    [Symbol.dispose]: () => {},
  };
}

function troubleOf(seen: Live): string | undefined {
  const error = seen.trouble();
  return error && `What is below may be old: ${mending(error)}`;
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
