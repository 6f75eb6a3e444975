import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import { Refusal } from '../http/refusal.ts';
import { FailedLogins } from './failed-logins.ts';

const wrong = () => Promise.reject(new Refusal(401, 'wrong'));
const right = () => Promise.resolve('ann');

describe('FailedLogins', () => {
  const setUp = () => {
    const clock = new VirtualClock();
    const logins = new FailedLogins(clock);
    const status = (address: string, judge: () => Promise<unknown> = wrong): Promise<number> =>
      logins.judged(address, judge).then(
        () => 200,
        (error: Refusal) => error.status,
      );
    const block = async (...addresses: readonly string[]): Promise<void> => {
      for (let at = 0; at < 11; at++) expect(await status(addresses[at % addresses.length] as string)).toBe(401);
    };
    return { clock, logins, status, block };
  };

  it('blocks an address until some time has passed', async () => {
    const { clock, logins, status, block } = setUp();
    await block('10.0.0.1');
    await expect(logins.judged('10.0.0.1', wrong)).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('Try again in 10 s'),
    });
    expect(await status('10.0.0.2')).toBe(401);
    await clock.advance(10_000);
    expect(await status('10.0.0.1')).toBe(401);
  });

  it('lets in whoever has a right token, from a blocked address too', async () => {
    const { logins, block } = setUp();
    await block('10.0.0.1');
    expect(await logins.judged('10.0.0.1', right)).toBe('ann');
  });

  it('judges one token at a time from a blocked address', async () => {
    const { status, block } = setUp();
    await block('10.0.0.1');
    const first = Promise.withResolvers<string>();
    const [slow, meanwhile] = [status('10.0.0.1', () => first.promise), status('10.0.0.1', right)];
    expect(await meanwhile).toBe(429);
    first.resolve('bob');
    expect(await slow).toBe(200);
    expect(await status('10.0.0.1', right)).toBe(200);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db8:0:0:9::', '2001:db8:0:1::1'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1:9:9:9:9', '2001:db8::1'],
    ['fe80::1', 'fe80::2:3', 'fe90::1'],
  ])('takes %s and %s for one network, and %s for another', async (one, same, other) => {
    const { status, block } = setUp();
    await block(one, same);
    expect([await status(one), await status(same), await status(other)]).toEqual([429, 429, 401]);
  });

  it('takes an IPv4 address in the spelling of IPv6 for what it is', async () => {
    const { status, block } = setUp();
    await block('::ffff:10.0.0.1');
    expect([await status('10.0.0.1'), await status('::ffff:10.0.0.2'), await status('::1')]).toEqual([429, 401, 401]);
  });
});
