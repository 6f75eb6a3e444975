import { describe, expect, it } from 'vitest';
import type { Page } from '../../portrait/wire.ts';
import { type Heard, heard, type Told } from './heard.ts';
import { summaryOf } from './summary.fixture.ts';

const orders = summaryOf();
const clicks = summaryOf({}, { name: 'clicks' });
const id = (name: string): string => `FlinkBlueGreenDeployment/streaming/${name}`;
const fleet: Heard = { name: 'fleet', data: [orders, clicks] };
const page = { events: [], offers: [] } as unknown as Page;

describe('the stream', () => {
  it('begins with the whole fleet', () => {
    expect([...(heard({}, [fleet]).fleet?.keys() ?? [])]).toEqual([id('orders'), id('clicks')]);
  });

  it('replaces the fleet when it begins anew, so that what went meanwhile is gone', () => {
    const before = heard({}, [fleet]);
    expect([...(heard(before, [{ name: 'fleet', data: [clicks] }]).fleet?.keys() ?? [])]).toEqual([id('clicks')]);
  });

  it('changes, adds and removes single workloads, and leaves what it had been told before as it was', () => {
    const before = heard({}, [fleet]);
    const failed = summaryOf({ phase: 'failed' });
    const after = heard(before, [
      { name: 'changed', data: failed },
      { name: 'changed', data: summaryOf({}, { name: 'new' }) },
      { name: 'gone', data: { id: id('clicks') } },
    ]);
    expect([...(after.fleet ?? [])].map(([key, one]) => [key, one.phase])).toEqual([
      [id('orders'), 'failed'],
      [id('new'), 'healthy'],
    ]);
    expect(before.fleet?.get(id('orders'))).toBe(orders);
    expect(before.fleet?.size).toBe(2);
  });

  it('keeps the identity of the fleet when only the page changed', () => {
    const before = heard({}, [fleet]);
    const after = heard(before, [{ name: 'page', data: page }]);
    expect(after.fleet).toBe(before.fleet);
    expect(after.page).toBe(page);
  });

  it('says what is missing until it is there again, and keeps what was last known of it', () => {
    const shown: Told = { page };
    const gone = heard(shown, [{ name: 'missing', data: { id: id('orders') } }]);
    expect(gone).toEqual({ page, missing: id('orders') });
    expect(heard(gone, [{ name: 'page', data: page }])).toEqual({ page });
  });
});
