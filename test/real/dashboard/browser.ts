import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Without these, Chromium asks the outside for updates, and says so in its log; it runs as root here, without a sandbox. */
const flags =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Generous: a machine may be busy with others. */
const patienceMs = 90_000;

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: flags.split(' '), headless: true });
}

/** A window of its own, with its own cookies. What goes wrong in it is in `troubles`. */
export async function openWindow(
  browser: Browser,
  look: { readonly dark?: boolean; readonly phone?: boolean } = {},
): Promise<{ readonly page: Page; readonly troubles: readonly string[] }> {
  const context = await browser.newContext({
    viewport: look.phone ? { width: 360, height: 740 } : { width: 1280, height: 900 },
    colorScheme: look.dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('console', (said) => {
    // A browser tells of every answer that is none; those are asked for here.
    if (said.type() === 'error' && !said.text().startsWith('Failed to load resource')) troubles.push(said.text());
  });
  return { page, troubles };
}

/** Where a page stands in the five answers, by the names of the contract. */
export function answer(page: Page, name: 'serves' | 'changing' | 'progress' | 'ifStopped' | 'next') {
  return page.locator(`[data-answer=${name}]`);
}

export function button(page: Page, verb: string) {
  return page.locator(`button[data-verb=${verb}]`);
}

/** Keeps a picture for the documentation when it is asked for: `CUTOVER_SCREENSHOTS=docs/images`. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.CUTOVER_SCREENSHOTS;
  if (folder === undefined) {
    // Drawn all the same: what cannot be drawn must fail here, too.
    await page.screenshot();
    return;
  }
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
