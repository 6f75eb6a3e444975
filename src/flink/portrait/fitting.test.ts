import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { servingStatus, stateful } from '../decide/bluegreen/view.fixture.ts';
import { flinkBlueGreenDeployment } from '../resources/flink-blue-green-deployment.ts';
import { fitting } from './fitting.ts';
import { metadataOf } from './resource.ts';

const { field, parse } = flinkBlueGreenDeployment.status;

describe('what of a status has the shape of its schema', () => {
  it('is all of a sound one', () => {
    const status = servingStatus('BLUE', stateful, { history: [], observedGeneration: 3 });
    expect(fitting(field, status)).toEqual(status);
  });

  it.each([
    ['a member of another type', { attempt: 'many', observedGeneration: 2 }, { observedGeneration: 2 }],
    ['a word that is none', { blueGreenState: 'ACTIVE_RED' }, {}],
    ['a part that lacks what it must have', { serving: { color: 'BLUE' } }, {}],
    ['an element that is none', { history: [7, {}], attempt: 1 }, { history: [], attempt: 1 }],
    ['a null', { serving: null }, {}],
    ['what an object inherits', JSON.parse('{"__proto__": {"attempt": 1}}'), {}],
  ])('is without %s', (_, status, rest) => {
    expect(fitting(field, status)).toEqual(rest);
  });

  it('is nothing of what is no object', () => {
    for (const value of [undefined, null, 7, 'text', []]) expect(fitting(field, value)).toBeUndefined();
  });

  it('is always of that shape', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...Object.keys(field.properties ?? {})), fc.jsonValue()),
        (odd, members) => {
          for (const value of [odd, members]) {
            const found = fitting(field, value);
            if (found !== undefined) expect(parse(found).ok).toBe(true);
          }
        },
      ),
    );
  });
});

describe('metadata', () => {
  it('is read by its types', () => {
    const metadata = {
      name: 'a',
      uid: 7,
      labels: { a: 'b', c: 1 },
      annotations: [],
      ownerReferences: [{}, null],
      generation: '3',
    };
    expect(metadataOf({ metadata } as unknown as AnyObject)).toEqual({
      name: 'a',
      labels: { a: 'b' },
      ownerReferences: [],
    });
    expect(metadataOf({ metadata: null } as unknown as AnyObject)).toEqual({ ownerReferences: [] });
  });
});
