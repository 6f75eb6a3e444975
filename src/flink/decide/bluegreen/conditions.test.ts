import { describe, expect, it } from 'vitest';
import { type Color, colors } from '../../resources/blue-green-transition.ts';
import { fromMine, fromNothing, suspend } from './example.fixture.ts';
import { aborted, draining, keeping, savepointing, starting, suspended } from './moments.fixture.ts';
import { play } from './play.fixture.ts';
import { Story, serving } from './story.fixture.ts';
import { configured, edited, image, patchable, sideSeen, stateful, stateless, viewOf } from './view.fixture.ts';

const manual = edited(stateful, configured({ promotion: 'manual' }));

/** All conditions as `Type=Status Reason`, in alphabetical order. */
const conditions = ({ status }: Story) =>
  (status.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`).sort();

const first = () => {
  const story = new Story(viewOf(stateful));
  story.settle();
  return story;
};

const verified = (x: Color) => {
  const story = starting(x, manual);
  story.becomes(story.y, 'ready').settle();
  return story;
};

describe.each(colors)('the conditions, from %s', (x) => {
  const settled = (story: Story) => {
    story.settle();
    return story;
  };
  it.each<[string, () => Story, readonly string[]]>([
    [
      'of a first deployment',
      first,
      ['Available=False NeverServed', 'Promoted=False UnderWay', 'Ready=False Starting', 'Reconciling=True Starting'],
    ],
    ['at rest', () => serving(x, stateful), ['Available=True Serving', 'Promoted=True Complete', 'Ready=True Serving']],
    [
      'of a suspended job',
      () => suspended(x),
      ['Available=False NotServing', 'Promoted=True Complete', 'Ready=True Suspended'],
    ],
    [
      'while a savepoint is taken',
      () => savepointing(x),
      ['Available=True Serving', 'Promoted=False UnderWay', 'Ready=True Savepointing', 'Reconciling=True Savepointing'],
    ],
    [
      'while y starts',
      () => starting(x),
      ['Available=True Serving', 'Promoted=False UnderWay', 'Ready=True Starting', 'Reconciling=True Starting'],
    ],
    [
      'while a person is waited for',
      () => verified(x),
      [
        'Available=True Serving',
        'Promoted=False UnderWay',
        'Ready=True AwaitsPromotion',
        'Reconciling=True AwaitsPromotion',
      ],
    ],
    [
      'while x is about to go',
      () => draining(x),
      ['Available=True Serving', 'Promoted=True TrafficMoved', 'Ready=True Draining', 'Reconciling=True Draining'],
    ],
    [
      'while x is kept',
      () => keeping(x),
      ['Available=True Serving', 'Promoted=True TrafficMoved', 'Ready=True Keeping', 'Reconciling=True Keeping'],
    ],
    [
      'after an abort',
      () => aborted(x),
      [
        'Available=True Serving',
        'LeftOver=True LeftAsItIs',
        'Promoted=False Aborted',
        'Ready=True TransitionAborted',
        'Stalled=True TransitionAborted',
      ],
    ],
    [
      'of an unhealthy side',
      () => settled(serving(x, stateful).becomes(x, 'failing')),
      [
        'Available=False NotServing',
        'Promoted=True Complete',
        'Ready=False ServingUnhealthy',
        'Reconciling=True ServingUnhealthy',
      ],
    ],
    [
      'of a side that settles',
      () => settled(serving(x, stateful).becomes(x, 'settling')),
      [
        'Available=False NotServing',
        'Promoted=True Complete',
        'Ready=False ServingSettles',
        'Reconciling=True ServingSettles',
      ],
    ],
    [
      'of a spec that is refused',
      () => settled(serving(x, stateful).edit(fromMine, fromNothing)),
      [
        'Available=True Serving',
        'Promoted=False ValidationError',
        'Ready=True ValidationError',
        'Stalled=True ValidationError',
      ],
    ],
    [
      'of a suspension that is deferred',
      () => settled(starting(x).edit(suspend)),
      [
        'Available=True Serving',
        'Promoted=False UnderWay',
        'Ready=True SuspendDeferred',
        'Reconciling=True SuspendDeferred',
      ],
    ],
  ])('%s', (_, given, expected) => {
    expect(conditions(given())).toEqual(expected);
  });

  it('are never Reconciling and Stalled at once, and speak of the newest generation', () => {
    for (const given of [serving(x, stateful), savepointing(x), starting(x), draining(x), aborted(x)]) {
      const types = (given.status.conditions ?? []).map(({ type }) => type);
      expect(types.includes('Reconciling') && types.includes('Stalled')).toBe(false);
      given.edit(patchable('3')).settle();
      for (const { observedGeneration } of given.status.conditions ?? []) {
        expect(observedGeneration).toBe(given.view.resource.metadata.generation);
      }
      expect(given.status.observedGeneration).toBe(given.view.resource.metadata.generation);
    }
  });

  it('of a hand-made change go when it is undone, and name no secret', () => {
    const story = serving(x, stateful);
    const { spec } = story.side(x);
    const flinkConfiguration = { ...spec.flinkConfiguration, 's3.secret-key': 'hush' };
    story.seen(x, { spec: { ...spec, flinkConfiguration } }).settle();
    expect(story.condition('ChangedByHand')?.message).toContain('s3.secret-key');
    expect(JSON.stringify(story.status)).not.toContain('hush');
    story.seen(x, { spec }).settle();
    expect(story.condition('ChangedByHand')).toBeUndefined();
  });
});

it('do not speak of hand-made changes of a side that is going', () => {
  const story = serving('BLUE', stateful);
  const { spec } = story.side('BLUE');
  story.seen('BLUE', { spec: { ...spec, image: 'by-hand' }, terminating: true, terminatingSince: 0 }).settle();
  expect(story.condition('ChangedByHand')).toBeUndefined();
});

describe('a status', () => {
  it('does not change from look to look, however much time passes', () => {
    const failing = serving('BLUE', stateful).becomes('BLUE', 'failing');
    for (const story of [
      failing,
      starting('BLUE'),
      draining('BLUE'),
      keeping('BLUE'),
      aborted('BLUE'),
      verified('BLUE'),
    ]) {
      story.settle();
      const { resource } = story.view;
      for (const ms of [1, 999, 1_000]) {
        story.passes(ms).look();
        expect(story.view.resource).toBe(resource);
      }
    }
  });

  it.each(colors)('shows a bounded job of %s that has finished as finished, and nothing as wrong', (x) => {
    const story = serving(x, stateful);
    const finished = { jobStatus: { state: 'FINISHED', jobId: 'j' }, lifecycleState: 'STABLE' } as const;
    story.becomes(x, 'ready', finished).settle();
    expect(story.jobState).toBe('FINISHED');
    expect(story.status.error).toBeUndefined();
    expect(story.events.filter((event) => event.includes('unhealthy'))).toEqual([]);
  });

  it.each([
    ['before traffic moved', starting],
    ['afterwards', keeping],
  ] as const)('is not FAILING because a person rolled a transition back %s', (_, given) => {
    for (const x of colors) {
      const story = given(x);
      story.annotate({ 'cutover.dev/rollback': story.status.transition?.id ?? '' });
      play(story);
      expect(`${story.state} ${story.jobState}`).toBe(`ACTIVE_${x} RUNNING`);
      expect(story.status.error).toBeUndefined();
      expect(story.condition('Promoted')).toMatchObject({ status: 'False', reason: 'Aborted' });
    }
  });

  it('is warned of once for each thing that goes wrong', () => {
    const story = serving('BLUE', stateful);
    story.events.length = 0;
    story.becomes('BLUE', 'failing').settle();
    story.settle();
    expect(story.events).toHaveLength(1);
    story.becomes('BLUE', 'ready').settle();
    story.becomes('BLUE', 'failing').settle();
    expect(story.events).toHaveLength(2);
  });

  it('holds no more of an error than a person can read', () => {
    const story = serving('BLUE', stateful);
    story.becomes('BLUE', 'failed', { error: 'x'.repeat(100_000) }).settle();
    expect(JSON.stringify(story.status).length).toBeLessThan(20_000);
    const late = starting('BLUE');
    late
      .becomes('GREEN', 'failed', { error: 'x'.repeat(100_000) })
      .passes(600_000)
      .settle();
    expect(JSON.stringify(late.status).length).toBeLessThan(20_000);
  });

  it('holds the last ten transitions and the last thirty steps', () => {
    const story = serving('BLUE', stateless);
    for (let round = 0; round < 12; round += 1) {
      story.edit(image(`app:${round + 10}`)).settle();
      story.edit(image('app:1')).settle();
      story.gone('GREEN').settle();
    }
    expect(story.status.history).toHaveLength(10);
    const flapping = draining('BLUE');
    for (let round = 0; round < 40; round += 1) {
      flapping.becomes('GREEN', 'failed').settle();
      flapping.becomes('GREEN', 'ready').settle();
    }
    expect(flapping.status.transition?.steps?.length).toBe(30);
  });

  it('shows a side whose name is somebody else’s', () => {
    const strange = sideSeen('GREEN', stateful, 'ready', { owners: ['stranger'] });
    const story = serving('BLUE', stateful).edit(image('app:2'));
    story.now({ sides: { ...story.view.sides, GREEN: strange } }).settle();
    expect(story.status.error).toContain('FlinkDeployment counter-green belongs to somebody else');
  });
});
