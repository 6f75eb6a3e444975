import { describe, expect, it } from 'vitest';
import { type DeploymentMark, deploymentMark, markText } from './deployment-mark.ts';
import { annotations } from './keys.ts';

const marked = (text: string) => ({ metadata: { annotations: { [annotations.deployment]: text } } });

describe('the mark of a deployment', () => {
  it.each<[string, DeploymentMark]>([
    ['of an app that did not run', { guid: 'd', appRev: 1, stopped: { droplet: 'b' } }],
    ['of an app that had nothing to run', { guid: 'd', appRev: 1, stopped: {} }],
    ['from before the droplet of a stopped app was noted', { guid: 'd', appRev: 1 }],
    ['of a running app', { guid: 'd', appRev: 4, previous: { appRev: 2, droplet: 'b' } }],
    ['that was canceled', { guid: 'd', appRev: 4, previous: { appRev: 2 }, canceled: true }],
    ['that took the place of others', { guid: 'd', appRev: 9, supersedes: ['a', 'b'] }],
  ])('%s is read as it was written', (_what, mark) => {
    expect(deploymentMark(marked(markText(mark)))).toEqual(mark);
  });

  it('is none where there is no annotation', () => {
    expect(deploymentMark({ metadata: {} })).toBeUndefined();
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['nothing', 'null'],
    ['no name', '{"guid":"","appRev":1}'],
    ['a revision that is a text', '{"guid":"d","appRev":"1"}'],
    ['a negative revision', '{"guid":"d","appRev":-1}'],
    ['half a previous revision', '{"guid":"d","appRev":2,"previous":{}}'],
    ['a number for a droplet', '{"guid":"d","appRev":2,"stopped":{"droplet":1}}'],
    ['numbers for names', '{"guid":"d","appRev":2,"supersedes":[1]}'],
  ])('is none when it holds %s', (_what, text) => {
    expect(deploymentMark(marked(text))).toBeUndefined();
  });

  it('leaves out what it does not know, also under a hostile name', () => {
    const mark = deploymentMark(marked('{"guid":"d","appRev":2,"other":1,"__proto__":{"canceled":true}}'));
    expect(mark).toEqual({ guid: 'd', appRev: 2 });
    expect(mark?.canceled).toBeUndefined();
  });
});
