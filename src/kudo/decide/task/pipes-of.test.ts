import { describe, expect, it } from 'vitest';
import { placeOf } from '../../render/place.fixture.ts';
import type { OperatorVersion, Task } from '../../resources/operator-version.ts';
import { pipeConflict, pipesOf } from './pipes-of.ts';

const pipe = (name: string, ...keys: readonly string[]): Task => ({
  name,
  kind: 'Pipe',
  spec: { pipe: keys.map((key) => ({ file: `/out/${key}`, kind: 'ConfigMap', key })) },
});

/** A plan `deploy` whose steps have these tasks; a plan `other` with the task `elsewhere`. */
function versionOf(tasks: readonly Task[], ...steps: readonly (readonly string[])[]): OperatorVersion {
  return placeOf({
    tasks: [...tasks, pipe('elsewhere', 'far')],
    plans: {
      deploy: {
        phases: [{ name: 'Phase-1', steps: steps.map((names, index) => ({ name: `s_${index}`, tasks: [...names] })) }],
      },
      other: { phases: [{ name: 'p', steps: [{ name: 's', tasks: ['elsewhere'] }] }] },
    },
  }).operatorVersion;
}

describe('the pipes of a plan', () => {
  it('are those of all its steps and of no other plan, named by the place of their task', () => {
    const version = versionOf([pipe('Gen-It', 'result', 'varsKey'), pipe('more', 'x')], ['Gen-It'], ['more', 'absent']);
    expect(pipesOf(version, 'my-Instance.1', 'deploy')).toEqual({
      result: 'myinstance1.deploy.phase1.s0.genit.result',
      varsKey: 'myinstance1.deploy.phase1.s0.genit.varskey',
      x: 'myinstance1.deploy.phase1.s1.more.x',
    });
  });

  it('are none for tasks of other kinds, and for a plan that is not there', () => {
    const version = versionOf([{ ...pipe('apply', 'a'), kind: 'Apply' }], ['apply']);
    expect(pipesOf(version, 'i', 'deploy')).toEqual({});
    expect(pipesOf(version, 'i', 'nope')).toEqual({});
  });

  it('may have any name that a key may have', () => {
    const pipes = pipesOf(versionOf([pipe('t', '__proto__', 'constructor')], ['t']), 'i', 'deploy');
    expect(Object.keys(pipes)).toEqual(['__proto__', 'constructor']);
  });
});

describe('pipes that would write over one another', () => {
  it.each([
    ['a key twice', [pipe('a', 'k'), pipe('b', 'k')], [['a', 'b']], 'duplicated pipe key k'],
    ['a task in two steps', [pipe('a', 'k')], [['a'], ['a']], 'duplicated pipe key k'],
    [
      'keys that differ in case',
      [pipe('a', 'k', 'K')],
      [['a']],
      'pipe keys k and K would both become ConfigMap st.deploy.phase1.s0.a.k: rename one',
    ],
    [
      'tasks that differ in a dash',
      [pipe('a-b', 'k'), pipe('ab', 'l')],
      [['a-b', 'ab']],
      'pipe tasks Phase-1.s_0.a-b and Phase-1.s_0.ab would share the pod st.deploy.phase1.s0.ab.pipepod: rename one',
    ],
  ] as const)('are told: %s', (_, tasks, steps, problem) => {
    expect(pipeConflict(versionOf(tasks, ...steps), 'st', 'deploy')).toBe(problem);
  });

  it('are not tasks of different plans, nor keys of different tasks', () => {
    expect(pipeConflict(versionOf([pipe('a', 'far'), pipe('b', 'x')], ['a'], ['b']), 'st', 'deploy')).toBeUndefined();
  });
});
