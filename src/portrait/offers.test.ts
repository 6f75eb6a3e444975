import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../kube/object.ts';
import { offers } from './offers.ts';
import type { Summary } from './summary.ts';
import type { Steering, Verb } from './verb.ts';
import type { Around } from './workload.ts';

const object: AnyObject = { apiVersion: 'a/v1', kind: 'Thing', metadata: { namespace: 'shop', name: 'orders' } };
const type = { group: 'a', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
const summarize = (title?: string) => (): Summary => ({
  subject: {
    family: 'f',
    apiVersion: 'a/v1',
    kind: 'Thing',
    namespace: 'shop',
    name: 'orders',
    uid: 'u',
    ...(title && { title }),
  },
  phase: 'healthy',
  headline: 'fine',
  serving: 'all',
  inTransition: false,
});
const around: Around = { now: 0, find: () => 'unknown', list: () => undefined };
const verb = (name: Verb['name'], steering: Steering): Verb => ({
  name,
  summary: `does ${name}`,
  request: () => steering,
});

describe('offers', () => {
  it('tells what can be done, what is at stake, and why the rest cannot', () => {
    const stake = { what: 'state', question: 'Drop state?' } as const;
    const verbs = [
      verb('promote', { is: 'writes', writes: [], said: 'green serves' }),
      verb('restart', { is: 'writes', writes: [], said: 'starts anew', stake }),
      verb('abort', { is: 'refused', why: 'nothing is changing' }),
    ];
    expect(offers({ type, verbs, summarize: summarize() }, object, around)).toEqual([
      { verb: 'promote', summary: 'does promote', command: 'cutover promote Thing/orders -n shop' },
      { verb: 'restart', summary: 'does restart', command: 'cutover restart Thing/orders -n shop', stake },
      {
        verb: 'abort',
        summary: 'does abort',
        command: 'cutover abort Thing/orders -n shop',
        whyNot: 'nothing is changing',
      },
    ]);
  });

  it('shows commands as the person calls the program', () => {
    const verbs = [verb('pause', { is: 'writes', writes: [], said: '' })];
    expect(offers({ type, verbs, summarize: summarize() }, object, around, 'kubectl cutover')[0]?.command).toBe(
      'kubectl cutover pause Thing/orders -n shop',
    );
  });

  it('shows what people call it, unless a shell would not understand it', () => {
    const verbs = [verb('pause', { is: 'writes', writes: [], said: '' })];
    const command = (title: string) => offers({ type, verbs, summarize: summarize(title) }, object, around)[0]?.command;
    expect(command('shop-front')).toBe('cutover pause Thing/shop-front -n shop');
    expect(command('$(reboot)')).toBe('cutover pause Thing/orders -n shop');
  });
});
