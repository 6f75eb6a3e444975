import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../src/kube/client.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import { clientOf } from '../../program/client-of.ts';
import { type Program, startProgram } from '../../program/start-program.ts';
import { answer, openBrowser, openWindow } from './browser.ts';
import { Terminal } from './terminal.ts';

/** Where `npm run` works: the directory in which a person says `npm start`. */
const root = join(import.meta.dirname, '../../..');
const generous = { timeout: 90_000, interval: 200 } as const;

let program: Program;
let client: Client & AsyncDisposable;
let terminal: Terminal;
let browser: Browser;
/** What is printed under "The first minute": the link, and what to type. */
let link: string;
let lines: readonly string[];

beforeAll(async () => {
  // It runs in a directory of its own, so that samples of a person's working copy stay as they are. What it prints does not depend on it.
  program = startProgram(['start', '--port', '0', '--dashboard-port', '0', '--cf-api-port', '0']);
  await program.says(/Ctrl-C stops it/);
  const [, guide = ''] = program.output.stdout.split('The first minute');
  [link = ''] = /http:\/\/\S+/.exec(guide) ?? [];
  const [, typed = ''] = guide.split('in another terminal, in this directory:');
  lines = [...typed.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line);
  const { PATH = '' } = process.env;
  terminal = new Terminal({ cwd: root, env: { PATH, HOME: program.home, NODE_NO_WARNINGS: '1' } });
  client = await clientOf(join(program.home, '.cutover', 'kubeconfig'));
  browser = await openBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await terminal?.[Symbol.asyncDispose]();
  await client?.close();
  await program?.[Symbol.asyncDispose]();
});

/** The line that is printed for this, and nothing else in its stead. */
function printed(pattern: RegExp): string {
  const found = lines.filter((line) => pattern.test(line));
  expect(found, `${pattern} in\n${lines.join('\n')}`).toHaveLength(1);
  return found[0] ?? '';
}

/** Types a printed line that ends by itself. */
async function follow(pattern: RegExp): Promise<string> {
  const { text, code } = await terminal.run(printed(pattern));
  expect(code, text).toBe(0);
  return text;
}

/** Types a printed line that goes on until Ctrl-C; resolves when the screen shows this. */
async function watch(pattern: RegExp, shows: RegExp): Promise<void> {
  await terminal.ready();
  terminal.type(printed(pattern));
  // Before that, what is visible is of a command before.
  await terminal.until('it takes the screen', () => terminal.screen.isTaken || undefined);
  await terminal.shows(shows);
}

const answers = ['Serves', 'Changing', 'Progress', 'If stopped', 'Next'] as const;

/** What a page says to each of the five questions. All of them have an answer, in this order, and each only one. */
function fiveAnswers(page: string): Readonly<Record<(typeof answers)[number], string>> {
  const found = [...page.matchAll(/^(Serves|Changing|Progress|If stopped|Next): +(\S.*)$/gm)];
  expect(
    found.map(([, name]) => name),
    page,
  ).toEqual(answers);
  return Object.fromEntries(found.map(([, name, text]) => [name, text])) as ReturnType<typeof fiveAnswers>;
}

/** Ends what watches. The terminal is as it was before, and the last page stays on it. */
async function stopWatching(): Promise<string> {
  expect(terminal.screen).toMatchObject({ isTaken: true, cursor: false });
  const before = terminal.screen.all.length;
  terminal.interrupt();
  await terminal.until('it gives the screen back', () => (terminal.screen.isTaken ? undefined : true));
  await terminal.ready();
  expect(terminal.screen.cursor).toBe(true);
  return terminal.screen.all.slice(before);
}

function podsOf(instance: string): Promise<readonly (readonly [string, string])[]> {
  return client
    .resource(kinds.pods)
    .list({ namespace: 'default', labelSelector: `kudo.dev/instance=${instance}` })
    .then(({ items }) => items.map(({ metadata }) => [metadata.name ?? '', metadata.uid ?? ''] as const));
}

describe('the first minute, as it is printed, in a terminal', () => {
  it('begins with every workload of every family', async () => {
    expect(lines).toHaveLength(9);
    await follow(/^export KUBECONFIG=/);
    await follow(/^alias cutover=/);
    // Whoever is quicker than the samples looks again.
    await vi.waitFor(async () => {
      const fleet = await follow(/^cutover list /);
      for (const [name, kind, serving] of [
        ['orders', 'FlinkBlueGreenDeployment', 'blue'],
        ['counter', 'FlinkDeployment', 'the job'],
        ['hello', 'CFApp', 'revision 0'],
        ['ledger', 'Instance', 'ledger-1.0.0'],
      ]) {
        expect(fleet).toMatch(new RegExp(`^\\S+ +${name} +${kind} +✔ healthy +${serving}`, 'm'));
      }
    }, generous);
  });

  it('moves a Flink job to the other side, drawn in place until that serves', { timeout: 300_000 }, async () => {
    expect(await follow(/^cutover restart orders/)).toMatch(/green .* savepoint; blue serves until it is ready/);
    await watch(/^cutover get orders -w/, /^Changing: +blue → green/m);
    const during = fiveAnswers(terminal.screen.text);
    expect(during.Serves).toMatch(/^blue serves/);
    expect(during['If stopped']).toMatch(/blue serves on/);
    expect(terminal.screen.text).toMatch(/^Name: /);
    const above = terminal.screen.all;

    await terminal.shows(/^Serves: +green serves/m);
    await terminal.shows(/^Changing: +Nothing/m);
    // The page is where it was: nothing was scrolled, and nothing of the shell is on it.
    expect(terminal.screen.text).toMatch(/^Name: +default\/orders/);
    expect(terminal.screen.text.match(/^Name: /gm)).toHaveLength(1);
    expect(terminal.screen.all).toBe(above);
    const left = await stopWatching();
    expect(fiveAnswers(left)).toMatchObject({ Serves: expect.stringMatching(/^green serves/) });
  });

  it('replaces the instances of an app one by one', { timeout: 300_000 }, async () => {
    expect(await follow(/^cutover restart app\/hello/)).toMatch(/CFApp hello: .*one by one/);
    await watch(/^cutover get app\/hello/, /^Serves: /m);
    expect(fiveAnswers(terminal.screen.text).Serves).toMatch(/revision [01]/);
    await terminal.shows(/^Progress: +Done: revision 1 runs on all instances/m);
    const left = fiveAnswers(await stopWatching());
    expect(left.Serves).toMatch(/2 instances of revision 1/);
    expect(left.Changing).toMatch(/^Nothing/);
  });

  it('changes a parameter of an Instance, and leaves its pods alone', { timeout: 300_000 }, async () => {
    const before = await podsOf('ledger');
    expect(before).toHaveLength(3);
    expect(await follow(/^cutover kudo update/)).toMatch(/Instance ledger was updated/);
    const page = await follow(/^cutover get instance\/ledger/);
    expect(fiveAnswers(page).Serves).toMatch(/ledger-1\.0\.0/);
    expect(page).toMatch(/NODE_COUNT +4/);
    const after = await vi.waitFor(async () => {
      const pods = await podsOf('ledger');
      expect(pods).toHaveLength(4);
      return pods;
    }, generous);
    expect(after).toEqual(expect.arrayContaining([...before]));
  });
});

describe('the first minute, as it is printed, in a browser', () => {
  const questions = ['serves', 'changing', 'progress', 'ifStopped', 'next'] as const;

  async function open(page: Page, name: string): Promise<void> {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    for (const question of questions) {
      await answer(page, question).waitFor();
      expect((await answer(page, question).textContent())?.trim(), `${question} of ${name}`).toMatch(/\w/);
    }
  }

  it('opens by its link, and gives the five answers for each family', { timeout: 300_000 }, async () => {
    const { page, troubles } = await openWindow(browser);
    await page.goto(link);
    for (const name of ['orders', 'counter', 'hello', 'ledger']) {
      await page.getByRole('link', { name, exact: true }).waitFor();
    }
    await open(page, 'orders');
    await answer(page, 'serves')
      .filter({ hasText: /green serves/ })
      .waitFor();
    await page.goBack();
    await open(page, 'counter');
    await page.goBack();

    await open(page, 'hello');
    await page.getByRole('heading', { level: 3, name: 'revision 1' }).waitFor();
    await page.goBack();

    await open(page, 'ledger');
    await page.getByRole('link', { name: 'What depends on what' }).click();
    const parameter = page.getByRole('button', { name: 'parameter NODE_COUNT' });
    await parameter.click();
    expect(await parameter.getAttribute('aria-pressed')).toBe('true');
    expect(troubles).toEqual([]);
  });

  it('lets nobody else in by that link', async () => {
    const { page } = await openWindow(browser);
    const answered = await page.goto(link);
    expect(answered?.status()).toBe(401);
    await page.getByText('This link was used already').waitFor();
    await page.goto(new URL('/', link).href);
    await page.getByLabel('Token').waitFor();
  });
});

describe('watching without a terminal', () => {
  it('prints plain lines, one whenever something changes', { timeout: 300_000 }, async () => {
    const access = ['--kubeconfig', join(program.home, '.cutover', 'kubeconfig')];
    await using watching = startProgram(['get', 'orders', '-w', ...access]);
    await watching.says(/^Next: +\S/m);
    await using restart = startProgram(['restart', 'orders', ...access]);
    expect(await restart.ended, restart.output.stderr).toEqual({ code: 0, signal: null });
    await watching.says(/^\d\d:\d\d:\d\d {2}◌ progressing \(\w+\): green → blue/m);
    await watching.says(/^\d\d:\d\d:\d\d {2}✔ healthy \(ACTIVE_BLUE\): blue serves/m);
    watching.kill('SIGINT');
    expect(await watching.ended).toEqual({ code: 0, signal: null });
    const { stdout, stderr } = watching.output;
    expect(stderr).toBe('');
    fiveAnswers(stdout);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });
});
