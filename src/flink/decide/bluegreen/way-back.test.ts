import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { annotations } from './annotations.ts';
import { fromMine } from './example.fixture.ts';
import { draining, retiring, starting } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import type { Story } from './story.fixture.ts';
import { edited, image, ingressed, stateful } from './view.fixture.ts';

const routed = edited(stateful, ingressed('/{{name}}'));
const word = (color: Color) => `counter-${color.toLowerCase()}`;
const backend = ({ view }: Story) => view.ingress?.backends[0];

describe.each(colors)('the way back to %s', (x) => {
  it('is taken when the job of y fails', () => {
    const story = draining(x, routed);
    story.becomes(story.y, 'failed').settle();
    expect(backend(story)).toBe(`${word(x)}-rest`);
    expect(story.status.serving?.color).toBe(x);
    expect([story.state, story.phase]).toEqual([`TRANSITIONING_TO_${story.y}`, 'starting']);
    expect(story.events.filter((event) => event.startsWith('TrafficReturned'))).toHaveLength(1);
    expect(story.condition('Available')?.status).toBe('True');
    story.passes(600_000).settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} FAILING`);
    expect(story.side(x).terminating).toBe(false);
  });

  it('is taken when nothing runs y any more', () => {
    const story = draining(x, routed);
    story.becomes(story.y, 'lost').settle();
    expect(backend(story)).toBe(`${word(x)}-rest`);
  });

  it('is not taken for a moment of weakness, but when the new grace period ends', () => {
    const story = draining(x, routed);
    story.becomes(story.y, 'settling').settle();
    expect([backend(story), story.phase]).toEqual([`${word(story.y)}-rest`, 'draining']);
    story.passes(599_999).settle();
    expect(backend(story)).toBe(`${word(story.y)}-rest`);
    story.passes(1).settle();
    expect(backend(story)).toBe(`${word(x)}-rest`);
    expect(story.state).toBe(`ACTIVE_${x}`);
  });

  it('is not taken to an x that is not ready: y is waited for', () => {
    const story = draining(x, routed).becomes(x, 'failing');
    story.becomes(story.y, 'failed').settle();
    expect(story.condition('Available')?.status).toBe('False');
    story.passes(600_000).settle();
    expect(backend(story)).toBe(`${word(story.y)}-rest`);
    expect(story.side(x).terminating).toBe(false);
    expect(story.jobState).toBe('FAILING');
    story.becomes(x, 'ready').settle();
    expect(backend(story)).toBe(`${word(x)}-rest`);
  });

  it('is left again when x is not ready any more and y is', () => {
    const story = draining(x, routed);
    story.becomes(story.y, 'failed').look();
    expect(story.phase).toBe('returning');
    story.becomes(x, 'failing').becomes(story.y, 'ready').settle();
    expect([backend(story), story.phase]).toEqual([`${word(story.y)}-rest`, 'draining']);
    expect(story.status.serving?.color).toBe(story.y);
  });

  it('begins with a mark on x once its deletion was decided, and traffic follows only when the mark is seen', () => {
    const story = retiring(x, routed);
    const doomed = story.side(x).ref.resourceVersion;
    story.becomes(story.y, 'failed').look();
    expect([backend(story), story.phase]).toEqual([`${word(story.y)}-rest`, 'returning']);
    expect(story.status.serving?.color).toBe(story.y);
    expect(story.side(x).annotations[annotations.kept]).toBe(story.status.transition?.moveId);
    expect(story.side(x).ref.resourceVersion).not.toBe(doomed);
    story.look();
    expect(backend(story)).toBe(`${word(x)}-rest`);
    story.settle();
    expect(story.status.serving?.color).toBe(x);
    expect(story.status.transition).not.toHaveProperty('retire');
  });

  it('is over when a deletion under way was faster than the mark', () => {
    const story = retiring(x, routed);
    story.becomes(story.y, 'failed').look(1);
    expect(story.phase).toBe('returning');
    story.seen(x, { terminating: true, terminatingSince: story.view.now }).settle();
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} FAILING`);
    expect(backend(story)).toBe(`${word(story.y)}-rest`);
  });

  it('marks x anew when it is taken for the second time', () => {
    const story = retiring(x, routed);
    story.becomes(story.y, 'failed').settle();
    const first = story.side(x).annotations[annotations.kept];
    story.becomes(story.y, 'ready').settle();
    story.passes(5_000).look(1);
    expect(story.phase).toBe('retiring');
    story.becomes(story.y, 'failed').settle();
    expect(story.status.serving?.color).toBe(x);
    expect(story.side(x).annotations[annotations.kept]).not.toBe(first);
  });

  it('restarts the deletion delay when y was not ready while x was about to go', () => {
    const story = retiring(x);
    story.becomes(story.y, 'settling').settle();
    story.passes(1_000).becomes(story.y, 'ready').settle();
    expect(story.side(x).terminating).toBe(false);
    story.passes(4_999).settle();
    expect(story.side(x).terminating).toBe(false);
    story.passes(1).settle();
    expect(story.side(x).terminating).toBe(true);
  });

  it('is taken when y was deleted by hand, also to an x that is not ready: there is nobody else', () => {
    for (const health of ['ready', 'failing'] as const) {
      const story = draining(x, routed).becomes(x, health);
      story.gone(story.y).settle();
      expect(story.status.serving?.color).toBe(x);
      expect(backend(story)).toBe(`${word(x)}-rest`);
      expect(story.side(story.y).spec).toMatchObject({ image: 'app:2', job: { initialSavepointPath: 's3://sp/1' } });
      const because = `Traffic returns to ${x.toLowerCase()}. ${word(story.y)} was deleted.`;
      expect(story.events).toContain(`TrafficReturned: ${because}`);
    }
  });

  it('keeps x when a nonce comes after y was deleted by hand and x is not ready', () => {
    const story = draining(x, routed).becomes(x, 'failing');
    story.gone(story.y).edit(fromMine).settle();
    expect(story.side(x).terminating).toBe(false);
    expect(story.done()).not.toContain(`delete ${word(x)}`);
    play(story);
    expect(story.side(story.y).spec.job?.initialSavepointPath).toBe('s3://mine');
  });

  it('is taken before another y than the one that was made is deleted', () => {
    const story = draining(x, routed);
    const { ref } = story.side(story.y);
    story.seen(story.y, { ref: { ...ref, uid: 'another' } }).look();
    expect(story.side(story.y).terminating).toBe(false);
    story.settle();
    expect(backend(story)).toBe(`${word(x)}-rest`);
    expect(story.side(story.y).terminating).toBe(true);
  });

  it('is not taken from another y that serves while x is not ready', () => {
    const story = draining(x, routed).becomes(x, 'failing');
    const { ref } = story.side(story.y);
    story.seen(story.y, { ref: { ...ref, uid: 'another' } }).settle();
    expect(story.side(story.y).terminating).toBe(false);
    expect(backend(story)).toBe(`${word(story.y)}-rest`);
    play(story);
    expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${story.y} RUNNING`);
  });

  it('ends the same wherever the operator dies', () => {
    const given = () => {
      const story = retiring(x, routed).edit(image('app:1'));
      return story;
    };
    play(given()).forEach((actions, look) => {
      for (let action = 0; action < actions; action += 1) {
        const story = given();
        play(story, {
          crash: { look, action },
          watch: ({ view }) => {
            if (view.ingress?.backends[0] === `${word(x)}-rest`) expect(view.sides[x]?.terminating).toBe(false);
          },
        });
        expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
        expect(backend(story)).toBe(`${word(x)}-rest`);
        expect(story.view.sides[story.y]).toBeUndefined();
      }
    });
  });

  it('is not needed when the transition is given up before traffic moved', () => {
    const story = starting(x, routed).passes(600_000);
    story.settle();
    expect(story.events.filter((event) => event.startsWith('TrafficReturned'))).toEqual([]);
  });
});
