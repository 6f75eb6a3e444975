import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { draining, starting } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { type Story, serving } from './story.fixture.ts';
import { configured, edited, flinkConfigured, image, ingressed, ingressSeen, stateful } from './view.fixture.ts';

const word = (color: Color) => `counter-${color.toLowerCase()}`;
const routed = edited(stateful, ingressed('{{name}}.example.com'));
const withoutIngress = (story: Story) => story.edit(({ ingress: _, ...spec }) => spec);
const off = { operator: { settings: { 'kubernetes.operator.ingress.manage': 'false' }, logFiles: {} } };

describe.each(colors)('the Ingress while %s serves', (x) => {
  it('is made when it is asked for, led to x, and taken away when it is not', () => {
    const story = serving(x, stateful);
    expect(story.view.ingress).toBeUndefined();
    story.edit(ingressed('/{{name}}')).settle();
    expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
    withoutIngress(story).settle();
    expect(story.view.ingress).toBeUndefined();
    expect(story.done()).toEqual([]);
  });

  it('is made again when somebody deletes it, and led back when somebody leads it elsewhere', () => {
    const story = serving(x, routed).now({ ingress: undefined });
    story.settle();
    expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
    story.now({ ingress: { ...ingressSeen(x), backends: ['elsewhere'] } }).settle();
    expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
  });

  it('leads to the port that the serving side has', () => {
    const story = serving(x, edited(routed, flinkConfigured({ 'rest.port': '9999' })));
    const applied = story.look().actions.find((action) => action.do === 'apply');
    expect(JSON.stringify(applied)).toContain('"number":9999');
  });

  it('of somebody else is waited for, visibly and once, never taken, and holds nothing up', () => {
    const strange = { ...ingressSeen(x), owners: ['stranger'], backends: ['theirs'] };
    const story = serving(x, stateful).now({ ingress: strange }).edit(ingressed('/{{name}}'));
    story.events.length = 0;
    story.settle();
    story.settle();
    expect(story.condition('IngressBlocked')).toMatchObject({ status: 'True', reason: 'NameTaken' });
    expect(story.events).toEqual([expect.stringMatching(/^NameTaken: Ingress counter belongs to somebody else/)]);
    play(story.edit(image('app:2')));
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    expect(story.view.ingress).toEqual(strange);
    story.now({ ingress: undefined }).settle();
    expect(story.view.ingress?.backends).toEqual([`${word(story.y)}-rest`]);
    expect(story.condition('IngressBlocked')).toBeUndefined();
    withoutIngress(story.now({ ingress: strange })).settle();
    expect(story.view.ingress).toEqual(strange);
  });

  it('that is being deleted is not written to', () => {
    const story = serving(x, routed);
    story.now({ ingress: { ...ingressSeen(x), terminating: true } }).settle();
    expect(story.deeds.filter((deed) => deed.do === 'apply')).toEqual([]);
  });

  it('that leads to x and cannot be led to y keeps x', () => {
    const story = starting(x, routed);
    const at = story.view.now;
    const id = 'apply networking.k8s.io/v1 Ingress shop/counter';
    const refused = { result: 'refused' as const, at, since: at, of: '', message: 'denied by a webhook' };
    const { ingress } = story.view;
    story.now({ outcomes: { [id]: refused } }).becomes(story.y, 'ready');
    for (let looks = 0; looks < 5; looks += 1) {
      story.look();
      story.now({ ingress });
    }
    expect(story.side(x).terminating).toBe(false);
    expect(story.condition('IngressBlocked')?.message).toContain('denied by a webhook');
    play(story.now({ outcomes: {} }));
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });

  it('that leads to y and cannot be led back to x keeps y', () => {
    const story = draining(x, routed).edit(image('app:1'));
    const at = story.view.now;
    const id = 'apply networking.k8s.io/v1 Ingress shop/counter';
    const refused = { result: 'refused' as const, at, since: at, of: '', message: 'denied by a webhook' };
    const { ingress } = story.view;
    story.now({ outcomes: { [id]: refused } });
    for (let looks = 0; looks < 5; looks += 1) {
      story.look();
      story.now({ ingress });
    }
    expect(story.phase).toBe('returning');
    expect(story.side(story.y).terminating).toBe(false);
    play(story.now({ outcomes: {} }));
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
    expect(story.view.sides[story.y]).toBeUndefined();
  });

  it('that was refused from the beginning holds nothing up', () => {
    const at = 0;
    const id = 'apply networking.k8s.io/v1 Ingress shop/counter';
    const refused = { result: 'refused' as const, at, since: at, of: '', message: 'no such class' };
    const story = starting(x, stateful)
      .edit(ingressed('/{{name}}'))
      .now({ outcomes: { [id]: refused } });
    story.becomes(story.y, 'ready');
    for (let looks = 0; looks < 6; looks += 1) {
      story.look();
      story.now({ ingress: undefined });
    }
    expect(story.side(x).terminating).toBe(true);
  });
});

describe.each(colors)('without ingress management, from %s', (x) => {
  it('the Ingress is left alone, and external routing follows the status', () => {
    const story = serving(x, routed, off).now({ ingress: undefined }).edit(image('app:2'));
    const servers: (string | undefined)[] = [];
    play(story, { watch: ({ status }) => servers.push(status.serving?.color) });
    expect(story.done('Ingress')).toEqual([]);
    expect([...new Set(servers)]).toEqual([x, story.y]);
    expect(story.state).toBe(`ACTIVE_${story.y}`);
    const kept = ingressSeen(x);
    withoutIngress(story.now({ ingress: kept })).settle();
    expect(story.view.ingress).toBe(kept);
  });

  it('the status names y before x is deleted', () => {
    const story = serving(x, stateful, off).edit(image('app:2'));
    play(story, {
      watch: ({ status, view }) => {
        if (view.sides[x]?.terminating) expect(status.serving?.color).not.toBe(x);
      },
    });
    expect(story.state).toBe(`ACTIVE_${story.y}`);
  });
});

describe.each(colors)('the preview of a transition from %s', (x) => {
  const previewed = edited(routed, configured({ 'preview-ingress': 'true', promotion: 'manual' }));

  it('leads to y for as long as y does not have the traffic', () => {
    const story = serving(x, previewed);
    expect(story.view.preview).toBeUndefined();
    story.edit(image('app:2')).settle();
    story.completed().settle();
    expect(story.view.preview?.backends).toEqual([`${word(story.y)}-rest`]);
    story.becomes(story.y, 'ready').settle();
    expect(story.view.preview?.backends).toEqual([`${word(story.y)}-rest`]);
    expect(story.view.ingress?.backends).toEqual([`${word(x)}-rest`]);
    story.edit(configured({ promotion: 'automatic' })).settle();
    expect(story.view.preview).toBeUndefined();
  });

  it('goes when the transition ends otherwise', () => {
    const story = starting(x, previewed).passes(600_000);
    expect(story.view.preview).toBeDefined();
    story.settle();
    expect(story.state).toBe(`ACTIVE_${x}`);
    expect(story.view.preview).toBeUndefined();
  });

  it('of somebody else is left alone', () => {
    const strange = { ...ingressSeen(x, 'counter-preview'), owners: ['stranger'] };
    const story = serving(x, previewed).now({ preview: strange }).edit(image('app:2'));
    play(story);
    story.becomes(story.y, 'ready').settle();
    expect(story.view.preview).toEqual(strange);
    expect(story.condition('IngressBlocked')).toMatchObject({ status: 'True', reason: 'NameTaken' });
    expect(story.condition('IngressBlocked')?.message).toContain('counter-preview belongs to somebody else');
    expect(story.events.filter((event) => event.startsWith('NameTaken'))).toHaveLength(1);
    story.now({ preview: undefined }).settle();
    expect(story.condition('IngressBlocked')).toBeUndefined();
  });
});

it('traffic is nobody’s before the first side is ready', () => {
  const story = serving('BLUE', routed);
  expect(story.condition('Available')?.status).toBe('True');
  const drained = draining('BLUE', routed);
  expect(drained.view.ingress?.backends).toEqual(['counter-green-rest']);
  expect(drained.side('BLUE').terminating).toBe(false);
});
