import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { annotations, nestedAnnotations } from '../keys.ts';
import type { Dependencies } from './hash/dependency.ts';
import type { Hashes } from './hash/hashes.ts';
import { type Circumstances, nested } from './nested-annotations.ts';

const path = ['spec', 'template'];
const { plan, phase, step, operatorVersion, planUid, dependenciesHash, referencesHash, hashBaseline } = annotations;

const [A, B] = ['aaaa', 'bbbb'];
const [R, S] = ['cccc', 'dddd'];

const reads: Dependencies = {
  mounted: [{ kind: 'ConfigMap', name: 'conf' }],
  others: [{ kind: 'Secret', name: 'token', keys: ['x'] }],
};

/** What a live pod template may have on it. */
const layouts = {
  nothing: {},
  /** KUDO up to 0.12 */
  oldKudo: { [plan]: 'deploy', [phase]: 'run', [step]: 'node', [operatorVersion]: '0.1.0', [planUid]: 'u0' },
  /** KUDO from 0.13 on */
  newKudo: { [operatorVersion]: '0.1.0', [dependenciesHash]: A },
  /** The same, of a workload without dependencies. */
  newKudoAlone: { [operatorVersion]: '0.1.0' },
  ourUid: { [planUid]: 'u0' },
  ourHashes: { [dependenciesHash]: A, [referencesHash]: R },
} as const;

type Layout = keyof typeof layouts;

function workload(onTemplate: Readonly<Record<string, string>>, baseline?: string): AnyObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'w', annotations: baseline === undefined ? {} : { [hashBaseline]: baseline } },
    spec: { template: { metadata: { annotations: { own: 'annotation', ...onTemplate } } } },
  };
}

const decide = (
  policy: Circumstances['policy'],
  restartUID: string | undefined,
  live: AnyObject | undefined,
  hashes: Hashes = {},
  templateChanges = false,
) => nested({ policy, restartUID, live, path, templateChanges, hashes: () => hashes, reads: () => reads });

describe('the annotations of pod templates under restartPolicy always', () => {
  it.each(Object.keys(layouts) as Layout[])('are left as they are by a quiet execution: %s', (layout) => {
    const found = layouts[layout];
    expect(decide('always', undefined, workload(found))).toEqual({ onTemplate: found });
  });

  it.each(Object.keys(layouts) as Layout[])('are only the UID of a forced one: %s', (layout) => {
    expect(decide('always', 'u1', workload(layouts[layout]))).toEqual({
      onTemplate: { [planUid]: 'u1' },
      because: 'plan execution u1 restarts pods',
    });
  });

  it('are none when a quiet execution creates the workload, and the UID when a forced one does', () => {
    expect(decide('always', undefined, undefined)).toEqual({ onTemplate: {} });
    expect(decide('always', 'u1', undefined)).toEqual({ onTemplate: { [planUid]: 'u1' } });
  });

  it('do not change again for the same demand', () => {
    expect(decide('always', 'u0', workload(layouts.ourUid))).toEqual({ onTemplate: { [planUid]: 'u0' } });
  });

  it('ask nobody about dependencies', () => {
    const hashes = (): Hashes => {
      throw new Error('nobody asked');
    };
    const live = workload({});
    expect(
      nested({ policy: 'always', restartUID: 'u1', live, path, templateChanges: true, hashes, reads: () => reads }),
    ).toMatchObject({
      onTemplate: { [planUid]: 'u1' },
    });
  });

  it('keep the baseline while they are kept, and lose it when pods restart', () => {
    const live = workload(layouts.ourHashes, `${A}/${R}`);
    expect(decide('always', undefined, live).baseline).toBe(`${A}/${R}`);
    expect(decide('always', 'u1', live).baseline).toBeUndefined();
  });
});

interface Row {
  readonly live: Layout;
  readonly baseline?: string;
  readonly now: Hashes;
  readonly forced: boolean;
  /** What is on the template after it; absent: what was there. */
  readonly after?: Readonly<Record<string, string>>;
  readonly baselineAfter: string;
  readonly restarts: boolean;
}

const same = { dependencies: A, references: R };
const other = { dependencies: B, references: R };
const otherVariables = { dependencies: A, references: S };
const hashesOf = ({ dependencies, references }: { dependencies: string; references: string }) => ({
  [dependenciesHash]: dependencies,
  [referencesHash]: references,
});

/** The whole rule, row by row. */
const table: readonly Row[] = [
  // Enabling the mode: nobody knows what the pods were started with, so nothing restarts, and from now on it is known.
  { live: 'nothing', now: same, forced: true, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'nothing', now: same, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'ourUid', now: same, forced: true, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'ourUid', now: same, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
  // Adopting from KUDO: its hash is the baseline, what it never looked at is taken as found.
  { live: 'oldKudo', now: same, forced: true, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'oldKudo', now: same, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'newKudo', now: same, forced: true, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'newKudo', now: same, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'newKudo', now: other, forced: true, after: hashesOf(other), baselineAfter: `${B}/${R}`, restarts: true },
  { live: 'newKudo', now: other, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'newKudoAlone', now: {}, forced: true, baselineAfter: '/', restarts: false },
  // Our own hashes, as after a restart.
  { live: 'ourHashes', baseline: `${A}/${R}`, now: same, forced: true, baselineAfter: `${A}/${R}`, restarts: false },
  { live: 'ourHashes', baseline: `${A}/${R}`, now: same, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
  {
    live: 'ourHashes',
    baseline: `${A}/${R}`,
    now: other,
    forced: true,
    after: hashesOf(other),
    baselineAfter: `${B}/${R}`,
    restarts: true,
  },
  { live: 'ourHashes', baseline: `${A}/${R}`, now: other, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
  {
    live: 'ourHashes',
    baseline: `${A}/${R}`,
    now: otherVariables,
    forced: true,
    after: hashesOf(otherVariables),
    baselineAfter: `${A}/${S}`,
    restarts: true,
  },
  // Somebody took the baseline away: the hashes on the template tell.
  { live: 'ourHashes', now: otherVariables, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
  {
    live: 'ourHashes',
    now: otherVariables,
    forced: true,
    after: hashesOf(otherVariables),
    baselineAfter: `${A}/${S}`,
    restarts: true,
  },
  // A baseline that cannot be read is none.
  { live: 'ourUid', baseline: 'nonsense', now: same, forced: true, baselineAfter: `${A}/${R}`, restarts: false },
  // Created by a quiet execution: no marks, but a baseline.
  { live: 'nothing', baseline: `${A}/${R}`, now: same, forced: true, baselineAfter: `${A}/${R}`, restarts: false },
  {
    live: 'nothing',
    baseline: `${A}/${R}`,
    now: other,
    forced: true,
    after: hashesOf(other),
    baselineAfter: `${B}/${R}`,
    restarts: true,
  },
  // Marks of the mode `always` stay until there is a reason to restart.
  { live: 'ourUid', baseline: `${A}/${R}`, now: same, forced: true, baselineAfter: `${A}/${R}`, restarts: false },
  {
    live: 'ourUid',
    baseline: `${A}/${R}`,
    now: other,
    forced: true,
    after: hashesOf(other),
    baselineAfter: `${B}/${R}`,
    restarts: true,
  },
  // The first dependency, and the last one gone.
  {
    live: 'nothing',
    baseline: '/',
    now: { dependencies: A },
    forced: true,
    after: { [dependenciesHash]: A },
    baselineAfter: `${A}/`,
    restarts: true,
  },
  { live: 'ourHashes', baseline: `${A}/${R}`, now: {}, forced: true, after: {}, baselineAfter: '/', restarts: true },
  { live: 'ourHashes', baseline: `${A}/${R}`, now: {}, forced: false, baselineAfter: `${A}/${R}`, restarts: false },
];

const told = (row: Row): string =>
  [
    `live ${row.live}`,
    `baseline ${row.baseline ?? 'none'}`,
    `now ${row.now.dependencies ?? ''}/${row.now.references ?? ''}`,
    row.forced ? 'forced' : 'quiet',
  ].join(', ');

describe('the annotations of pod templates under restartPolicy onDependencyChange', () => {
  it.each(table.map((row) => [told(row), row] as const))('%s', (_, row) => {
    const found = layouts[row.live];
    const result = decide('onDependencyChange', row.forced ? 'u1' : undefined, workload(found, row.baseline), row.now);
    expect(result.onTemplate).toEqual(row.after ?? found);
    expect(result.baseline).toBe(row.baselineAfter);
    expect(result.because !== undefined).toBe(row.restarts);
  });

  it('are the hashes, not a UID, when a forced execution creates the workload', () => {
    expect(decide('onDependencyChange', 'u1', undefined, same)).toEqual({
      onTemplate: hashesOf(same),
      baseline: `${A}/${R}`,
    });
  });

  it('are none when a quiet execution creates it, which still knows its baseline', () => {
    expect(decide('onDependencyChange', undefined, undefined, same)).toEqual({
      onTemplate: {},
      baseline: `${A}/${R}`,
    });
  });

  it('say what changed', () => {
    const live = workload(layouts.ourHashes, `${A}/${R}`);
    expect(decide('onDependencyChange', 'u1', live, other).because).toBe('ConfigMap conf changed, which its pods read');
    expect(decide('onDependencyChange', 'u1', live, { dependencies: B, references: S }).because).toBe(
      'what its pods read changed: one or more of ConfigMap conf, Secret token',
    );
  });

  it('say it shortly where pods read much, and also where they read nothing any more', () => {
    const because = (names: readonly string[], now: Hashes) =>
      nested({
        policy: 'onDependencyChange',
        restartUID: 'u1',
        live: workload(layouts.ourHashes, `${A}/${R}`),
        path,
        templateChanges: false,
        hashes: () => now,
        reads: () => ({ mounted: names.map((name) => ({ kind: 'Secret', name })), others: [] }),
      }).because;
    expect(because(['a', 'b', 'c', 'd', 'e', 'a'], other)).toBe(
      'what its pods read changed: one or more of Secret a, Secret b, Secret c, Secret d and 1 others',
    );
    expect(because([], {})).toBe('its pods no longer read what they did');
  });

  it('do not restart pods a second time that a changed template restarts anyway', () => {
    const live = workload(layouts.ourHashes, `${A}/${R}`);
    const quiet = decide('onDependencyChange', undefined, live, other, true);
    expect(quiet).toEqual({ onTemplate: layouts.ourHashes, baseline: `${B}/${R}` });
    const next = decide('onDependencyChange', 'u1', workload(quiet.onTemplate, quiet.baseline), other);
    expect(next.because).toBeUndefined();
  });

  it('still change when content returns to what an old mark says', () => {
    const live = workload(layouts.ourHashes, `${B}/${R}`);
    expect(decide('onDependencyChange', 'u1', live, same)).toEqual({
      onTemplate: { ...layouts.ourHashes, [planUid]: 'u1' },
      baseline: `${A}/${R}`,
      because: 'ConfigMap conf changed, which its pods read',
    });
  });
});

describe('whatever the circumstances', () => {
  const hash = fc.constantFrom(undefined, A, B);
  const circumstances = fc.record({
    policy: fc.constantFrom('always' as const, 'onDependencyChange' as const),
    restartUID: fc.constantFrom(undefined, 'u0', 'u1'),
    onTemplate: fc.dictionary(fc.constantFrom(...nestedAnnotations), fc.constantFrom(A, B, 'u0')),
    baseline: fc.constantFrom(undefined, 'x', '/', `${A}/`, `/${B}`, `${B}/${A}`),
    hashes: fc.record({ dependencies: hash, references: hash }),
    templateChanges: fc.boolean(),
  });
  const given = ({
    dependencies,
    references,
  }: {
    dependencies: string | undefined;
    references: string | undefined;
  }) => ({
    ...(dependencies !== undefined && { dependencies }),
    ...(references !== undefined && { references }),
  });

  it('an execution that begins again changes nothing and restarts nothing', () => {
    fc.assert(
      fc.property(circumstances, ({ policy, restartUID, onTemplate, baseline, hashes, templateChanges }) => {
        const now = given(hashes);
        const first = decide(policy, restartUID, workload(onTemplate, baseline), now, templateChanges);
        const { because, ...applied } = first;
        expect(decide(policy, restartUID, workload(first.onTemplate, first.baseline), now)).toEqual(applied);
        if (because !== undefined) expect(first.onTemplate).not.toEqual(onTemplate);
      }),
    );
  });

  it('a quiet execution restarts nothing', () => {
    fc.assert(
      fc.property(circumstances, ({ policy, onTemplate, baseline, hashes, templateChanges }) => {
        const result = decide(policy, undefined, workload(onTemplate, baseline), given(hashes), templateChanges);
        expect(result.onTemplate).toEqual(onTemplate);
        expect(result.because).toBeUndefined();
      }),
    );
  });
});
