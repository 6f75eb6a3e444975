import { describe, expect, it } from 'vitest';
import { showChange, templateChange } from './template-change.ts';

const shown = (wanted: unknown, live: unknown, applied?: unknown): string =>
  showChange(templateChange(wanted, live, applied));

const pod = (container: object) => ({ spec: { containers: [{ name: 'app', ...container }] } });

describe('what applying a pod template changes', () => {
  it.each([
    ['nothing', pod({ image: 'a' }), pod({ image: 'a' }), ''],
    ['a field', pod({ image: 'b' }), pod({ image: 'a' }), 'spec.containers[app].image'],
    ['a new field', pod({ image: 'a', tty: true }), pod({ image: 'a' }), 'spec.containers[app].tty'],
    ['nothing, where the server filled in defaults', pod({ image: 'a' }), pod({ image: 'a', tty: false }), ''],
    ['nothing, where nothing is said', pod({ resources: {}, env: [], args: null }), pod({}), ''],
    [
      'an amount',
      pod({ resources: { limits: { cpu: 2 } } }),
      pod({ resources: { limits: { cpu: '1' } } }),
      'spec.containers[app].resources.limits.cpu',
    ],
    [
      'no amount that is written in another way',
      pod({ resources: { limits: { cpu: '1000m' } } }),
      pod({ resources: { limits: { cpu: '1' } } }),
      '',
    ],
    ['an argument', pod({ args: ['a', 'b'] }), pod({ args: ['a', 'c'] }), 'spec.containers[app].args[1]'],
    ['the number of arguments', pod({ args: ['a', 'b'] }), pod({ args: ['a'] }), 'spec.containers[app].args'],
    [
      'a mount',
      pod({ volumeMounts: [{ mountPath: '/a', readOnly: true }] }),
      pod({ volumeMounts: [{ mountPath: '/a' }] }),
      'spec.containers[app].volumeMounts[/a].readOnly',
    ],
    [
      'no port that the server told more of',
      pod({ ports: [{ containerPort: 1 }] }),
      pod({ ports: [{ containerPort: 1, protocol: 'TCP' }] }),
      '',
    ],
    [
      'no order of variables',
      pod({ env: [{ name: 'A' }, { name: 'B' }] }),
      pod({ env: [{ name: 'B' }, { name: 'A' }] }),
      '',
    ],
    [
      'nothing that others added',
      pod({ env: [{ name: 'A' }] }),
      pod({ env: [{ name: 'A' }, { name: 'X', value: '1' }] }),
      '',
    ],
  ])('is %s', (_, wanted, live, change) => {
    expect(shown(wanted, live)).toBe(change);
  });

  it('takes away what was applied before and is there', () => {
    const before = pod({ image: 'a', env: [{ name: 'A', value: '1' }], tty: true });
    const { set, removed } = templateChange(pod({ image: 'a' }), before, before);
    expect(set).toEqual([]);
    expect(removed.map((path) => path.join('.'))).toEqual(['spec.containers.[app].env', 'spec.containers.[app].tty']);
  });

  it('takes one item of a list away', () => {
    const before = pod({ env: [{ name: 'A', value: '1' }, { name: 'B' }] });
    expect(shown(pod({ env: [{ name: 'B' }] }), before, before)).toBe('spec.containers[app].env[A]');
  });

  it('is nothing where a field that was applied never arrived, for the server does not know it', () => {
    expect(shown(pod({ nonsense: 1 }), pod({}), pod({ nonsense: 1 }))).toBe('');
    expect(shown(pod({ nonsense: 1 }), pod({}), pod({}))).toBe('spec.containers[app].nonsense');
  });

  it('is what somebody changed by hand, for that is set back', () => {
    expect(shown(pod({ image: 'a' }), pod({ image: 'by-hand' }), pod({ image: 'a' }))).toBe(
      'spec.containers[app].image',
    );
  });

  it('is all there is when there was no template', () => {
    expect(shown(pod({ image: 'a' }), undefined)).toBe('spec.containers[app].name, spec.containers[app].image');
  });

  it('is told shortly', () => {
    const env = (value: string) => pod({ env: ['A', 'B', 'C', 'D', 'E'].map((name) => ({ name, value })) });
    expect(shown(env('1'), env('2'))).toBe(
      'spec.containers[app].env[A].value, spec.containers[app].env[B].value, spec.containers[app].env[C].value and 2 more',
    );
  });
});
