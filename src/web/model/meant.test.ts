import { expect, it } from 'vitest';
import { meant } from './meant.ts';
import { summaryOf } from './summary.fixture.ts';

const orders = summaryOf();
const elsewhere = summaryOf({}, { namespace: 'test' });
const shop = summaryOf({}, { kind: 'CFApp', name: '6d1f', title: 'web-shop' });
const fleet = [summaryOf({}, { name: 'clicks' }), shop, orders, elsewhere];

it('finds what has nearly the name, in any namespace and of any kind', () => {
  expect(meant('FlinkDeployment/default/odrers', fleet)).toEqual([orders, elsewhere]);
});

it('goes by what people call it, too', () => {
  expect(meant('CFApp/shop/webshop', fleet)).toEqual([shop]);
});

it('finds nothing that is far, and no more than a few', () => {
  expect(meant('CFApp/shop/zzz', fleet)).toEqual([]);
  const many = Array.from({ length: 20 }, (_, index) => summaryOf({}, { namespace: `n${index}` }));
  expect(meant('a/b/orders', many)).toHaveLength(5);
});
