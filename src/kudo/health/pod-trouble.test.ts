import { expect, it } from 'vitest';
import { podTrouble } from './pod-trouble.ts';

const pod = (status: object) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, status }) as never;
const container = (state: object, more: object = {}) => pod({ containerStatuses: [{ name: 'main', state, ...more }] });
const waiting = (reason: string, message?: string) => ({ waiting: { reason, ...(message && { message }) } });

it.each([
  ['nothing is known yet', pod({}), undefined],
  ['it is being made', container(waiting('ContainerCreating')), undefined],
  ['it runs and is not ready yet', container({ running: {} }), undefined],
  [
    'no node has room',
    pod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }] }),
    'Unschedulable: 0/3 nodes',
  ],
  [
    'a variable cannot be read',
    container(waiting('CreateContainerConfigError', 'configmap "c" not found')),
    'container main: CreateContainerConfigError: configmap "c" not found',
  ],
  ['an image name is none', container(waiting('InvalidImageName')), 'container main: InvalidImageName'],
  [
    'a container before it fails',
    pod({
      initContainerStatuses: [{ name: 'first', state: { terminated: { exitCode: 2 } } }],
      containerStatuses: [{ name: 'main', state: waiting('PodInitializing') }],
    }),
    'container first: ended with exit code 2',
  ],
])('when %s', (_, given, told) => {
  expect(podTrouble(given)).toBe(told);
});

it('says the same of each try', () => {
  const pulls = [
    waiting('ErrImagePull', 'ErrImagePull: gone'),
    waiting('ImagePullBackOff', 'Back-off: ErrImagePull: gone'),
  ];
  expect(pulls.map((state) => podTrouble(container(state)))).toEqual(
    Array(2).fill('container main: ErrImagePull: gone'),
  );
  const lastState = { terminated: { exitCode: 1 } };
  const crashes = [
    container(lastState),
    container(waiting('CrashLoopBackOff', 'back-off 10s'), { lastState }),
    container(waiting('CrashLoopBackOff', 'back-off 20s'), { lastState }),
    container({ running: {} }, { lastState }),
  ];
  expect(crashes.map(podTrouble)).toEqual(Array(4).fill('container main: ended with exit code 1'));
  expect(podTrouble(container({ running: {} }, { lastState, ready: true }))).toBeUndefined();
});
