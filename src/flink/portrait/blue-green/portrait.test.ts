import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../../kube/object.ts';
import type { TreeNode } from '../../../portrait/portrait.ts';
import { play } from '../../decide/bluegreen/play.fixture.ts';
import { type Story, serving } from '../../decide/bluegreen/story.fixture.ts';
import { configured, edited, image, start, stateful } from '../../decide/bluegreen/view.fixture.ts';
import { portrayBlueGreen } from './portrait.ts';
import { aroundView, operator } from './world.fixture.ts';

const at = (ms: number) => new Date(start + ms).toISOString().replace('.000', '');

function pod(name: string, side: string, createdAt: string, component = 'jobmanager', more: object = {}): AnyObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      creationTimestamp: createdAt,
      labels: { app: `counter-${side}`, type: 'flink-native-kubernetes', component },
    },
    spec: { containers: [{ name: 'flink-main-container' }] },
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ...more },
  };
}

function deployment(side: string): AnyObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: `counter-${side}`,
      labels: { app: `counter-${side}`, type: 'flink-native-kubernetes', component: 'jobmanager' },
    },
    spec: { replicas: 1 },
    status: { availableReplicas: 1 },
  };
}

function portrait(story: Story, pods: readonly AnyObject[] = []) {
  const around = aroundView(story.view, { pods, 'deployments.apps': [deployment('blue'), deployment('green')] });
  return portrayBlueGreen({ ...story.view.resource }, around, operator);
}

/** Blue served, green is starting since a minute. */
function onTheWay(): Story {
  const story = serving('BLUE', edited(stateful, configured({ 'deployment-deletion.delay': '5 s' })));
  story.edit(image('app:2')).settle();
  story.passes(60_000).completed().settle();
  return story;
}

const paths = (node: TreeNode, above = ''): readonly string[] => {
  const here = `${above}${node.kind}/${node.name}`;
  return [here, ...node.children.flatMap((child) => paths(child, `${here} `))];
};

describe('the portrait of a blue/green deployment', () => {
  it('leads from the resource down to the pods of both sides', () => {
    const pods = [
      pod('blue-jm', 'blue', at(0)),
      pod('blue-tm', 'blue', at(0), 'taskmanager'),
      pod('green-jm', 'green', at(61_000)),
    ];
    const { tree } = portrait(onTheWay(), pods);
    const root = 'FlinkBlueGreenDeployment/counter';
    expect(paths(tree).filter((path) => !path.includes('Snapshot'))).toEqual([
      root,
      `${root} FlinkDeployment/counter-blue`,
      `${root} FlinkDeployment/counter-blue Deployment/counter-blue`,
      `${root} FlinkDeployment/counter-blue Deployment/counter-blue Pod/blue-jm`,
      `${root} FlinkDeployment/counter-blue Deployment/counter-blue Pod/blue-tm`,
      `${root} FlinkDeployment/counter-green`,
      `${root} FlinkDeployment/counter-green Deployment/counter-green`,
      `${root} FlinkDeployment/counter-green Deployment/counter-green Pod/green-jm`,
    ]);
    expect(tree.children.at(-1)).toMatchObject({ kind: 'FlinkStateSnapshot', status: 'COMPLETED', info: 's3://sp/1' });
  });

  it('says of each pod why it was made, why it restarted and why it will go', () => {
    const died = {
      containerStatuses: [
        {
          name: 'flink-main-container',
          restartCount: 2,
          lastState: { terminated: { reason: 'OOMKilled', exitCode: 137, finishedAt: at(70_000) } },
        },
      ],
    };
    const { pods } = portrait(onTheWay(), [
      pod('blue-jm', 'blue', at(0)),
      pod('green-jm', 'green', at(61_000), 'jobmanager', died),
    ]);
    expect(pods[0]).toMatchObject({ name: 'blue-jm', side: 'blue' });
    expect(pods[0]?.reasons).toEqual([
      { when: 'will', sentence: 'Will be deleted with blue, if green gets the traffic.' },
    ]);
    expect(pods[1]).toMatchObject({ name: 'green-jm', side: 'green', restarts: 2 });
    expect(pods[1]?.reasons).toEqual([
      {
        when: 'did',
        sentence: 'Container flink-main-container restarted 2 times; last: OOMKilled, exit code 137.',
        at: at(70_000),
      },
      { when: 'did', sentence: 'Made for blue → green: The template changed (image).', at: at(61_000) },
    ]);
  });

  it('says of a pod that came long after that it was not made for the change', () => {
    const story = onTheWay();
    story.becomes('GREEN', 'ready').settle();
    play(story);
    const [late] = portrait(story, [pod('green-tm', 'green', at(3_600_000), 'taskmanager')]).pods;
    expect(late?.reasons[0]?.sentence).toContain('Made after the last change had ended');
  });

  it('tells the cause field by field, and what is gone through with its times', () => {
    const { cause, steps, facts } = portrait(onTheWay());
    expect(cause).toMatchObject({
      kind: 'spec-change',
      changes: [{ path: 'spec.template.spec.image', from: 'app:1', to: 'app:2', demands: 'upgrade' }],
    });
    expect(steps.slice(0, 3)).toMatchObject([
      { name: 'savepointing', title: 'Take a savepoint of blue', status: 'done' },
      { name: 'starting', title: 'Start green', status: 'current' },
      { name: 'switching', title: 'Move traffic to green', status: 'pending' },
    ]);
    expect(Date.parse(steps[0]?.endedAt ?? '') - Date.parse(steps[0]?.startedAt ?? '')).toBe(60_000);
    expect(facts).toContainEqual({ label: 'last savepoint', value: 's3://sp/1, 0s old' });
    expect(facts).toContainEqual({ label: 'target starts from', value: 'savepoint s3://sp/1' });
  });

  it('counts down to the deletion of the old side', () => {
    const story = onTheWay();
    story.becomes('GREEN', 'ready').settle();
    const told = portrait(story);
    expect(told).toMatchObject({ serving: 'green', state: 'TRANSITIONING_TO_GREEN' });
    expect(told.deadlines).toEqual([{ what: 'blue is deleted', at: new Date(start + 65_000).toISOString() }]);
    expect(told.sides.map(({ name, role }) => `${name} ${role}`)).toEqual(['green serving', 'blue old']);
    expect(told.machine?.states.filter(({ current }) => current)).toEqual([
      { name: 'TRANSITIONING_TO_GREEN', current: true },
    ]);
  });

  it('tells how long each step usually takes, once that is known', () => {
    const story = onTheWay();
    story.becomes('GREEN', 'ready').settle();
    play(story);
    story.edit(image('app:3')).settle();
    const { steps } = portrait(story);
    expect(steps.find(({ name }) => name === 'draining')).toMatchObject({ status: 'pending', info: 'usually 5s' });
  });
});
