import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../../src/flink/resources/flink-blue-green-deployment.ts';
import { answer, button, openBrowser, openWindow, picture } from './browser.ts';
import { everything, lookingOnly, openWorld, type World } from './world.ts';

let world: World;
let browser: Browser;
beforeAll(async () => {
  [world, browser] = await Promise.all([openWorld(), openBrowser()]);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await world?.[Symbol.asyncDispose]();
});

const orders = '/w/FlinkBlueGreenDeployment/default/orders';

async function login(page: Page, token: string): Promise<void> {
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Resolves when an answer says this. */
async function says(page: Page, name: Parameters<typeof answer>[1], text: RegExp): Promise<void> {
  await answer(page, name).filter({ hasText: text }).waitFor();
}

describe('the dashboard in a browser', () => {
  it('logs in, and follows a transition that is promoted and one that is aborted', { timeout: 400_000 }, async () => {
    const { page, troubles } = await openWindow(browser);
    await page.goto(world.url);
    await login(page, 'nobody-has-this-token');
    await page.getByRole('alert').waitFor();
    await login(page, await world.token('captain', everything));

    const row = page.getByRole('row').filter({ hasText: 'orders' }).filter({ hasText: 'Healthy' });
    await row.waitFor();
    await picture(page, 'fleet');
    await row.getByRole('link', { name: 'orders' }).click();
    await says(page, 'serves', /blue serves/);

    await button(page, 'restart').click();
    await says(page, 'changing', /blue → green/);
    expect(await answer(page, 'ifStopped').textContent()).toMatch(/blue serves on/);
    // Promotion is by hand: it waits for somebody.
    await says(page, 'next', /promote/);
    await picture(page, 'transition');
    await button(page, 'promote').click();
    await says(page, 'serves', /green serves/);
    await says(page, 'changing', /Nothing/);
    await page.getByText('promoted').first().waitFor();

    await button(page, 'restart').click();
    await says(page, 'changing', /green → blue/);
    await button(page, 'abort').click();
    await says(page, 'changing', /Nothing/);
    await says(page, 'serves', /green serves/);
    await page
      .getByText(/aborted|cancelled|rolled-back/)
      .first()
      .waitFor();
    expect(troubles).toEqual([]);
  });

  it('offers nothing that a person may not do, and says why', async () => {
    const { page, troubles } = await openWindow(browser, { dark: true });
    await page.goto(`${world.url}${orders}`);
    await login(page, await world.token('guest', lookingOnly));
    await says(page, 'serves', /serves/);
    expect(await button(page, 'suspend').isDisabled()).toBe(true);
    expect(await button(page, 'restart').isDisabled()).toBe(true);
    // Whoever asks in spite of it is refused by the server itself.
    const refused = await page.evaluate(async () => {
      const { csrf } = (await (await fetch('/api/session')).json()) as { readonly csrf: string };
      const answer = await fetch('/api/do?id=FlinkBlueGreenDeployment/default/orders', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-cutover-csrf': csrf },
        body: JSON.stringify({ verb: 'restart', wish: {} }),
      });
      return { status: answer.status, text: await answer.text() };
    });
    expect(refused.status).toBe(403);
    expect(refused.text).toMatch(/patch/);
    await picture(page, 'dark');
    expect(troubles).toEqual([]);
  });

  it('goes on by itself after the operator was killed and started again', { timeout: 240_000 }, async () => {
    const { page, troubles } = await openWindow(browser);
    await page.goto(`${world.url}${orders}`);
    await login(page, await world.token('sailor', everything));
    await says(page, 'serves', /serves/);
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor();

    await world.killOperator();
    await page.getByRole('status').filter({ hasText: 'reconnecting' }).waitFor();
    await world.startOperator();
    await page.getByRole('status').filter({ hasText: 'live' }).waitFor();
    // And it tells of what happens now.
    await button(page, 'pause').click();
    await page.getByText('Paused').first().waitFor();
    await button(page, 'resume').click();
    await page.getByText('Healthy').first().waitFor();
    expect(troubles).toEqual([]);
  });

  it('foretells an edit without making it, and shows what is hostile in it as text', async () => {
    const { page, troubles } = await openWindow(browser);
    await page.goto(`${world.url}${orders}`);
    await login(page, await world.token('pilot', everything));
    await says(page, 'serves', /serves/);
    const evil = '<img src=x onerror=window.evil=1>\u001b[2J';
    const patch = { spec: { template: { spec: { job: { parallelism: 4, args: [evil] } } } } };
    await page.getByLabel('Only what would change').fill(JSON.stringify(patch));
    await page.getByRole('button', { name: 'Show what would happen' }).click();
    await page.getByText('spec.template.spec.job.parallelism').waitFor();
    await page.getByText('<img src=x onerror=window.evil=1>').first().waitFor();
    expect(await page.evaluate('window.evil')).toBeUndefined();
    await picture(page, 'plan');
    const type = flinkBlueGreenDeployment.type;
    const { spec } = await world.client
      .resource<FlinkBlueGreenDeployment>(type)
      .get({ namespace: 'default', name: 'orders' });
    expect(spec.template?.spec?.job?.parallelism).toBe(2);
    expect(troubles).toEqual([]);
  });

  it('is readable on a phone, and is steered by keys', async () => {
    const { page, troubles } = await openWindow(browser, { phone: true, dark: true });
    await page.goto(world.url);
    await login(page, await world.token('mate', everything));
    await page.getByText('orders').first().waitFor();
    const wide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
    expect(wide).toBe(false);
    await picture(page, 'phone');
    await page.keyboard.press('/');
    await page.keyboard.type('orders');
    await page.keyboard.press('Enter');
    await says(page, 'serves', /serves/);
    expect(new URL(page.url()).pathname).toBe(orders);
    expect(troubles).toEqual([]);
  });
});
