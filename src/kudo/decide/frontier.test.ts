import { describe, expect, it } from 'vitest';
import type { PlanStatus } from '../resources/instance.ts';
import type { Plan } from '../resources/operator-version.ts';
import { frontier } from './frontier.ts';
import { advanced, begun } from './plan-status.ts';

function plan(
  strategy: string,
  ...phases: readonly (readonly [name: string, strategy: string, steps: string])[]
): Plan {
  const steps = (names: string): { name: string }[] => [...names].map((name) => ({ name }));
  return { strategy, phases: phases.map(([name, own, names]) => ({ name, strategy: own, steps: steps(names) })) };
}

/** `one: a` complete, and so on. */
function complete(...done: readonly string[]): PlanStatus {
  const names = [...new Set(done.map((path) => path.split('/')[0] ?? ''))];
  const stepsOf = (phase: string): { name: string; status: string }[] =>
    done
      .filter((path) => path.startsWith(`${phase}/`))
      .map((path) => ({ name: path.slice(phase.length + 1), status: 'COMPLETE' }));
  return { phases: names.map((name) => ({ name, steps: stepsOf(name) })) };
}

function open(given: Plan, status?: PlanStatus): readonly string[] {
  return frontier(given, status).map(({ phase, step }) => `${phase.name}/${step.name}`);
}

describe('the steps that are worked on', () => {
  const serial = plan('serial', ['one', 'serial', 'ab'], ['two', 'parallel', 'cd']);

  it('are one at a time in serial phases of serial plans', () => {
    expect(open(serial)).toEqual(['one/a']);
    expect(open(serial, complete('one/a'))).toEqual(['one/b']);
  });

  it('are all of a parallel phase', () => {
    expect(open(serial, complete('one/a', 'one/b'))).toEqual(['two/c', 'two/d']);
    expect(open(serial, complete('one/a', 'one/b', 'two/c'))).toEqual(['two/d']);
  });

  it('are of all phases in a parallel plan', () => {
    const parallel = plan('parallel', ['one', 'serial', 'ab'], ['two', 'parallel', 'cd']);
    expect(open(parallel)).toEqual(['one/a', 'two/c', 'two/d']);
    expect(open(parallel, complete('two/c'))).toEqual(['one/a', 'two/d']);
  });

  it('are worked on at once when the strategy is none that is known', () => {
    const odd = { phases: [{ name: 'one', stategy: 'serial', steps: [{ name: 'a' }, { name: 'b' }] }] };
    expect(open(odd)).toEqual(['one/a', 'one/b']);
  });

  it('are none when all are complete, or when there are none', () => {
    expect(open(serial, complete('one/a', 'one/b', 'two/c', 'two/d'))).toEqual([]);
    expect(open({})).toEqual([]);
    expect(open({ phases: [{ name: 'empty', steps: null }] })).toEqual([]);
  });

  it('skip an empty phase of a serial plan', () => {
    expect(open(plan('serial', ['none', 'serial', ''], ['two', 'serial', 'c']))).toEqual(['two/c']);
  });
});

describe('phases and steps of one name', () => {
  const twins = plan('serial', ['same', 'serial', 'ab'], ['same', 'serial', 'bca'], ['other', 'serial', 'dd']);

  it('are worked on one after the other, none of them twice and none left out', () => {
    let status = begun(twins, 'deploy', 'u', 'T');
    const worked: string[] = [];
    for (let looks = 0; looks < 20 && status.status !== 'COMPLETE'; looks++) {
      const [next] = frontier(twins, status);
      if (!next) break;
      const { phase, step, at } = next;
      worked.push(`${at} ${phase.name}/${step.name}`);
      status = advanced(status, twins, [{ phase: phase.name, step: step.name, at, status: 'COMPLETE' }], 'T');
    }
    expect(worked).toEqual(['0 same/a', '1 same/b', '2 same/b', '3 same/c', '4 same/a', '5 other/d', '6 other/d']);
    expect(status.status).toBe('COMPLETE');
  });
});
