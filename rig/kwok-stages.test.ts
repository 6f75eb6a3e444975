import { expect, it } from 'vitest';
import { withPodStart } from './kwok-stages.ts';

const stage = (name: string): string =>
  `\nkind: Stage\nmetadata:\n  name: ${name}\nspec:\n  selector: {}\n  next:\n    x: 1\n`;

it('delays the stage that makes pods ready, and no other', () => {
  const stages = `---${stage('node-initialize')}---${stage('pod-ready')}`;
  const delayed = stage('pod-ready').replace('  next:', '  delay:\n    durationMilliseconds: 1500\n  next:');
  expect(withPodStart(stages, 1500)).toBe(`---${stage('node-initialize')}---${delayed}`);
});

it('says so when kwok has no such stage', () => {
  expect(() => withPodStart(`---${stage('pod-delete')}`, 1)).toThrow('no stage "pod-ready"');
});
