import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../clock/virtual.ts';
import type { Client } from '../../kube/client.ts';
import { kinds } from '../../kube/kinds.ts';
import { Refusal } from '../http/refusal.ts';
import { Access } from './access.ts';

interface Spec {
  readonly user: string;
  readonly resourceAttributes: { readonly verb: string; readonly resource: string; readonly namespace?: string };
}

function setUp(answer: (spec: Spec) => boolean | Promise<boolean>, vouch = async (): Promise<void> => undefined) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  let atOnce = 0;
  let most = 0;
  const create = async ({ spec }: { spec: Spec }) => {
    const { verb, resource, namespace = '*' } = spec.resourceAttributes;
    asked.push(`${spec.user} ${verb} ${resource} ${namespace}`);
    most = Math.max(most, ++atOnce);
    try {
      await new Promise((resolve) => setImmediate(resolve));
      return { status: { allowed: await answer(spec) } };
    } finally {
      atOnce--;
    }
  };
  const client = { resource: () => ({ create }) } as unknown as Client;
  const access = new Access({ client, clock, who: { name: 'ann', groups: ['dev'] }, vouch });
  return { clock, access, asked, most: () => most };
}

const list = (namespace: string) => ({ verb: 'list', type: kinds.pods, namespace }) as const;

describe('Access', () => {
  it('asks once for all namespaces when that is allowed', async () => {
    const { access, asked } = setUp(() => true);
    const questions = ['a', 'b', 'c'].map(list);
    expect(await Promise.all(questions.map((one) => access.may(one)))).toEqual([true, true, true]);
    expect(asked).toEqual(['ann list pods *']);
    expect(access.known(list('never-seen'))).toBe(true);
  });

  it('asks about each namespace otherwise, at most sixteen at once, and each once', async () => {
    const { access, asked, most } = setUp(({ resourceAttributes: { namespace } }) => namespace === 'n7');
    const questions = Array.from({ length: 100 }, (_, at) => list(`n${at % 50}`));
    const answers = await Promise.all(questions.map((one) => access.may(one)));
    expect(answers.filter(Boolean)).toHaveLength(2);
    expect([asked.length, most() <= 16]).toEqual([51, true]);
    expect([access.known(list('n7')), access.known(list('n8')), access.known(list('other'))]).toEqual([
      true,
      false,
      undefined,
    ]);
  });

  it('believes an answer for five minutes, and asks again only when it is needed', async () => {
    let allowed = true;
    const { access, asked, clock } = setUp(() => allowed);
    await access.may(list('a'));
    allowed = false;
    await clock.advance(299_999);
    expect(await access.may(list('a'))).toBe(true);
    await clock.advance(1);
    expect([access.known(list('a')), asked.length]).toEqual([undefined, 1]);
    expect(await access.may(list('a'))).toBe(false);
  });

  it('refuses what could not be asked, and does not remember that', async () => {
    let broken = true;
    const { access } = setUp(() => {
      if (broken) throw new Error('down');
      return true;
    });
    await expect(access.may(list('a'))).rejects.toMatchObject({ status: 503 });
    expect(access.known(list('a'))).toBeUndefined();
    broken = false;
    expect(await access.may(list('a'))).toBe(true);
  });

  it('asks after five minutes whether the person is still who they were', async () => {
    let vouched = 0;
    const { access, clock } = setUp(
      () => true,
      async () => {
        if (++vouched === 2) throw new Refusal(401, 'gone');
      },
    );
    await access.may(list('a'));
    expect(vouched).toBe(0);
    await clock.advance(300_000);
    await Promise.all([access.may(list('a')), access.may({ ...list('a'), verb: 'patch' })]);
    expect(vouched).toBe(1);
    await clock.advance(300_000);
    await expect(access.may(list('a'))).rejects.toMatchObject({ status: 401 });
  });
});
