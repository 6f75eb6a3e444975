import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/clock/virtual.ts';
import type { AnyController } from '../../src/control/operator.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { Request } from '../../src/kube/transport.ts';
import { type Look, Looks } from './looks.ts';
import { OwnWrites } from './own-writes.ts';

const path = '/apis/example.com/v1/namespaces/space/apps/web';
const body = (content: object): Buffer => Buffer.from(JSON.stringify(content));
const deletion: Request = { method: 'DELETE', path, headers: {}, body: body({ preconditions: { uid: 'uid' } }) };
const patchOf = (version: string): Request => ({
  method: 'PATCH',
  path,
  headers: {},
  body: body([
    { op: 'test', path: '/metadata/uid', value: 'uid' },
    { op: 'test', path: '/metadata/resourceVersion', value: version },
  ]),
});
const answer = { kind: 'App', metadata: { uid: 'uid', resourceVersion: '8' } } as unknown as AnyObject;
const look = (of: string, began: number): Look => ({ of, began });

describe('a request on a version from before a write of the same process', () => {
  /** Of an object that the space deleted, as was heard at 100. */
  const blind = (of: string, began: number, version = '7'): string | undefined => {
    const own = new OwnWrites();
    own.heard(deletion, answer, look('space', 90), 100);
    return own.blind(patchOf(version), look(of, began));
  };

  it('is blind when its look began after that was heard of', () => {
    expect(blind('app', 101)).toContain('decided on version 7');
    expect(blind('app', 101, '8')).toBeUndefined();
  });

  it('is none when another had begun to look by then, who cannot know', () => {
    expect(blind('app', 99)).toBeUndefined();
    expect(blind('app', 100)).toBeUndefined();
  });

  it('is blind when it is the same that wrote', () => {
    expect(blind('space', 90)).toContain('decided on version 7');
  });

  it('is blind when nobody looked', () => {
    const own = new OwnWrites();
    own.heard(deletion, answer, undefined, 100);
    expect(own.blind(patchOf('7'), undefined)).toContain('decided on version 7');
  });
});

describe('the look that a request comes of', () => {
  it('is known to whoever acts on what was observed, beside others', async () => {
    const clock = new VirtualClock();
    const looks = new Looks(clock);
    const controller = { observe: async () => ({}) } as unknown as AnyController;
    const turn = async (name: string): Promise<string | undefined> => {
      await looks.of(name, controller).observe('space/web', {} as never);
      await Promise.resolve();
      return looks.present?.of;
    };
    expect(await Promise.all([turn('app'), turn('route')])).toEqual(['app space/web', 'route space/web']);
  });
});
