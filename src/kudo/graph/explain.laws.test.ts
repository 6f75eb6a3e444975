import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import { isForced } from '../parameters/is-forced.ts';
import { enhance } from '../render/enhance.ts';
import { readingFirst } from '../render/hash/reading-first.ts';
import type { Place } from '../render/place.ts';
import { renderObjects } from '../render/render-objects.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { explain } from './explain.ts';
import { configMap, statefulSet, versionOf } from './versions.fixture.ts';

const instance = { name: 'law', namespace: 'default', uid: 'uid' };

/** Where a parameter is used. */
const places = ['replicas', 'args', 'file', 'nowhere'] as const;

interface Made {
  readonly parameters: readonly {
    readonly at: (typeof places)[number];
    readonly quiet: boolean;
    readonly changes: boolean;
  }[];
  readonly policy: 'always' | 'onDependencyChange';
}

/** A workload with a ConfigMap, and some parameters of which some change. */
const packages: fc.Arbitrary<Made> = fc.record({
  parameters: fc.array(fc.record({ at: fc.constantFrom(...places), quiet: fc.boolean(), changes: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  }),
  policy: fc.constantFrom('always', 'onDependencyChange'),
});

const name = (index: number) => `P${index}`;

function versionFrom({ parameters, policy }: Made): OperatorVersion {
  const used = (place: string) =>
    parameters.flatMap(({ at }, index) => (at === place ? [`{{ .Params.${name(index)} }}`] : []));
  return versionOf({
    templates: {
      'conf.yaml': configMap('conf', { file: used('file').join('') }),
      'app.yaml': statefulSet({
        name: 'app',
        replicas: `1${used('replicas').join('')}`,
        args: `run ${used('args').join('')}`,
        mounts: ['conf'],
      }),
    },
    parameters: parameters.map(({ quiet }, index) => ({ name: name(index), default: '1', forcePodRestart: !quiet })),
    restartPolicy: policy,
  });
}

const changeOf = ({ parameters }: Made) => {
  const to = Object.fromEntries(parameters.flatMap(({ changes }, index) => (changes ? [[name(index), '2']] : [])));
  return { from: {}, to, changed: Object.keys(to) };
};

/** What a plan applies, in order; the second time onto what the first time left. */
function applied(
  version: OperatorVersion,
  parameters: Readonly<Record<string, string>>,
  executionUid: string,
  forced: boolean,
  before: readonly AnyObject[] = [],
) {
  const place: Place = {
    instance,
    operatorVersion: version,
    parameters,
    plan: 'deploy',
    phase: 'main',
    step: 'all',
    pipes: {},
  };
  const rendered = renderObjects(place, Object.keys(version.spec.templates ?? {}));
  if (!('objects' in rendered)) throw new Error(rendered.complaint.message);
  const dependencies = readingFirst(rendered.objects, place, () => undefined);
  return rendered.objects.map((object) => {
    const live = before.find(({ kind }) => kind === object.kind);
    const restarting = { executionUid, ...(forced && { restartUID: executionUid }) };
    return enhance(object, place, restarting, { namespaced: true, dependencies, ...(live && { live }) });
  });
}

describe('an explanation', () => {
  it('says of a restart exactly what is done about it', () => {
    fc.assert(
      fc.property(packages, (made) => {
        const version = versionFrom(made);
        const { from, to, changed } = changeOf(made);
        fc.pre(changed.length > 0);
        const first = applied(version, from, 'first', true).map(({ object }) => object as AnyObject);
        const second = applied(version, to, 'second', isForced(changed, version), first);
        const [reason] = explain({ operatorVersion: version, instance }, { from, to });
        const app = second.find(({ object }) => object.kind === 'StatefulSet');
        expect(reason?.restarts).toBe(app?.restart !== undefined);
      }),
      { numRuns: 100 },
    );
  });

  it('follows the rule: the template, else a demand, by the policy', () => {
    fc.assert(
      fc.property(packages, (made) => {
        const { from, to, changed } = changeOf(made);
        fc.pre(changed.length > 0);
        const [reason] = explain({ operatorVersion: versionFrom(made), instance }, { from, to });
        const moving = made.parameters.filter(({ changes }) => changes);
        const template = moving.some(({ at }) => at === 'args');
        const demanded = moving.some(({ quiet }) => !quiet);
        const file = moving.some(({ at }) => at === 'file');
        const expected = template
          ? 'template-changed'
          : !demanded
            ? 'none'
            : made.policy === 'always'
              ? 'forced'
              : file
                ? 'dependency-changed'
                : 'none';
        expect(reason?.reason).toBe(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('blames exactly the parameters that are used in what changed', () => {
    fc.assert(
      fc.property(packages, (made) => {
        const { from, to, changed } = changeOf(made);
        fc.pre(changed.length > 0);
        const [reason] = explain({ operatorVersion: versionFrom(made), instance }, { from, to });
        const blamed = (kind: string) =>
          (reason?.causes ?? [])
            .filter(({ object }) => object.kind === kind)
            .flatMap(({ parameters }) => parameters)
            .sort();
        const used = (place: string) =>
          made.parameters.flatMap(({ at, changes }, index) => (changes && at === place ? [name(index)] : [])).sort();
        expect(blamed('StatefulSet')).toEqual(used('args'));
        expect(blamed('ConfigMap')).toEqual(used('file'));
      }),
      { numRuns: 100 },
    );
  });
});
