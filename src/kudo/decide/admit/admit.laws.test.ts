import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperatorVersion } from '../../resources/operator-version.ts';
import { admit } from './admit.ts';
import type { AdmitView } from './view.ts';

const names = ['A', 'B', 'C', '__proto__', 'constructor'];
const plans = ['deploy', 'update', 'upgrade', 'cleanup', 'tune', 'toString'];
const text = fc.constantFrom('', 'x', '1', 'true', '[1]', 'a: 1', '{');

const parameter = fc.record(
  {
    name: fc.constantFrom(...names),
    required: fc.boolean(),
    default: fc.option(text),
    trigger: fc.constantFrom(...plans),
    'value-type': fc.constantFrom('string', 'integer', 'boolean', 'array', 'map', 'odd'),
    immutable: fc.boolean(),
    enum: fc.array(text, { maxLength: 2 }),
    forcePodRestart: fc.boolean(),
  },
  { requiredKeys: ['name'] },
);

function versionNamed(name: string): fc.Arbitrary<OperatorVersion> {
  return fc
    .record({
      parameters: fc.array(parameter, { maxLength: 5 }),
      plans: fc.dictionary(fc.constantFrom(...plans), fc.constant({})),
    })
    .map((spec) => ({ apiVersion: 'kudo.dev/v1beta1', kind: 'OperatorVersion', metadata: { name }, spec }));
}

const values = fc.dictionary(fc.constantFrom(...names, 'Z'), text);
const reference = fc.constantFrom({ name: 'v1' }, { name: 'v2' }, { name: 'v1', kind: 'OperatorVersion' });

const view: fc.Arbitrary<AdmitView> = fc.record(
  {
    name: fc.constant({ namespace: 'ns', name: 'i' }),
    before: fc.record({ operatorVersion: reference, parameters: values }),
    after: fc.record({ operatorVersion: reference, parameters: values }),
    deleting: fc.boolean(),
    versions: fc.record({ before: versionNamed('v1'), after: versionNamed('v2') }, { requiredKeys: [] }),
    running: fc.record({ plan: fc.constantFrom(...plans), uid: fc.constant('u'), yields: fc.boolean() }),
    request: fc.oneof(
      fc.constant({ is: 'none' } as const),
      fc.constant({ is: 'cancel' } as const),
      fc.record({ is: fc.constant('run' as const), plan: fc.constantFrom(...plans), override: fc.boolean() }),
    ),
    restart: fc.boolean(),
  },
  { requiredKeys: ['name', 'after', 'deleting', 'versions', 'request'] },
);

/** Whatever a cluster may hold where a specification should be. */
const anything = fc.anything({ maxDepth: 2, withNullPrototype: true });
const oddVersion = fc.record(
  { plans: anything, parameters: fc.oneof(anything, fc.array(anything)) },
  { requiredKeys: [] },
);

describe('whatever is written', () => {
  it('gets one verdict, and always the same', () => {
    fc.assert(
      fc.property(view, (one) => {
        expect(admit(one)).toEqual(admit(structuredClone(one)));
      }),
    );
  });

  it('gets a verdict even if nothing has the shape that it should have', () => {
    fc.assert(
      fc.property(view, anything, anything, fc.oneof(anything, oddVersion), (one, spec, before, version) => {
        const broken = {
          ...one,
          before: { ...one.before, parameters: before },
          after: { ...one.after, parameters: spec },
          versions: { before: { metadata: {}, spec: version }, after: { metadata: {}, spec: version } },
        } as unknown as AdmitView;
        expect(admit(broken).is).toBeTypeOf('string');
      }),
    );
  });

  it('is never refused because a plan runs, as long as the Instance is not deleted', () => {
    fc.assert(
      fc.property(view, (one) => {
        const { running: _, ...idle } = { ...one, deleting: false };
        expect(admit({ ...one, deleting: false }).is === 'refused').toBe(admit(idle).is === 'refused');
      }),
    );
  });

  it('starts at once what does not wait for a plan, and supersedes only a plan that runs', () => {
    fc.assert(
      fc.property(view, (one) => {
        const verdict = admit(one);
        if (verdict.is === 'waits') expect(one.running?.yields).toBe(false);
        if (verdict.is === 'cancel') expect(one.running).toBeDefined();
        if (verdict.is === 'start' && one.before) expect(verdict.supersedes).toBe(one.running?.uid);
      }),
    );
  });

  it('restarts pods for parameters exactly when one of them demands it', () => {
    fc.assert(
      fc.property(view, (one) => {
        const verdict = admit(one);
        if (verdict.is !== 'start' || verdict.cause !== 'parameters') return;
        const flags = verdict.changed.map(
          (name) => one.versions.after?.spec.parameters?.find((parameter) => parameter.name === name)?.forcePodRestart,
        );
        expect(verdict.forced).toBe(flags.some((flag) => flag !== false));
      }),
    );
  });

  it('is nothing any more once it has been accepted', () => {
    fc.assert(
      fc.property(view, (one) => {
        const verdict = admit(one);
        if (verdict.is !== 'start') return;
        const { running: _, ...rest } = one;
        const version = one.versions.after;
        const again = admit({
          ...rest,
          before: verdict.accepted,
          versions: version ? { before: version, after: version } : {},
          request: { is: 'none' },
        });
        expect(again).toEqual({ is: 'nothing' });
      }),
    );
  });

  it('never loses an immutable value without an upgrade', () => {
    fc.assert(
      fc.property(view, (one) => {
        const verdict = admit(one);
        if (verdict.is !== 'start' || verdict.cause === 'upgrade' || !one.before) return;
        const first = new Map(one.versions.after?.spec.parameters?.toReversed().map((each) => [each.name, each]));
        for (const [name, value] of Object.entries(one.before.parameters)) {
          if (first.get(name)?.immutable)
            expect(Object.entries(verdict.accepted.parameters)).toContainEqual([name, value]);
        }
      }),
    );
  });
});
