import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Draft, StrategyContext } from '../resource.ts';
import { StatusError } from '../status-error.ts';
import { amountOf, canonicalQuantity } from './quantity.ts';
import { strategyOf } from './strategy-of.ts';

const context: StrategyContext = {
  clock: new VirtualClock(),
  random: seededRandom(1),
  read: () => undefined,
  all: () => [],
};

const kinds = [
  ['', 'Pod'],
  ['', 'Service'],
  ['', 'Secret'],
  ['', 'ConfigMap'],
  ['', 'Namespace'],
  ['', 'Node'],
  ['', 'PersistentVolumeClaim'],
  ['', 'PersistentVolume'],
  ['', 'LimitRange'],
  ['apps', 'Deployment'],
  ['apps', 'StatefulSet'],
  ['apps', 'DaemonSet'],
  ['batch', 'Job'],
  ['batch', 'CronJob'],
  ['networking.k8s.io', 'NetworkPolicy'],
  ['policy', 'PodDisruptionBudget'],
  ['admissionregistration.k8s.io', 'MutatingWebhookConfiguration'],
  ['autoscaling', 'HorizontalPodAutoscaler'],
] as const;

/** Names that strategies look for, and some that nobody should. */
const name = fc.constantFrom(
  ...['spec', 'template', 'containers', 'initContainers', 'volumes', 'resources', 'limits', 'requests', 'env', 'ports'],
  ...['selector', 'matchLabels', 'strategy', 'rollingUpdate', 'updateStrategy', 'jobTemplate', 'metadata', 'labels'],
  ...[
    'data',
    'stringData',
    'webhooks',
    'volumeClaimTemplates',
    'hard',
    'status',
    'capacity',
    'readinessProbe',
    'httpGet',
  ],
  ...['__proto__', 'constructor', 'toString'],
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom(null, true, 0, -1, 7, '', 'x', '1Gi'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc
      .array(fc.tuple(name, tie('json')), { maxLength: 4 })
      .map((entries) =>
        JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`),
      ),
  ),
}));

describe('defaults', () => {
  it('take anything that is JSON, and change nothing the second time', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), json, ([group, kind], body) => {
        const parts =
          typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as object) : { spec: body };
        const draft: Draft = { ...parts, apiVersion: 'v1', kind, metadata: { name: 'x', namespace: 'y' } };
        const strategy = strategyOf(group, kind);
        strategy.defaults?.(draft);
        const once = structuredClone(draft);
        strategy.defaults?.(draft);
        expect(draft).toEqual(once);
        expect(({} as Record<string, unknown>).x).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe('a bare object', () => {
  it.each(kinds)('%s/%s is refused or accepted, never a crash', (group, kind) => {
    const draft: Draft = { apiVersion: 'v1', kind, metadata: { name: 'x', namespace: 'y' } };
    const strategy = strategyOf(group, kind);
    strategy.defaults?.(draft);
    try {
      strategy.prepareForCreate?.(draft, context);
    } catch (error) {
      expect(error).toBeInstanceOf(StatusError);
    }
    expect(strategy.validate?.(draft as AnyObject, undefined, context)).toBeInstanceOf(Array);
    expect(strategy.fields?.(draft as AnyObject) ?? {}).toBeTypeOf('object');
  });
});

describe('a quantity', () => {
  it.each([
    ['1000m', '1'],
    ['1500m', '1500m'],
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['1000', '1k'],
    ['1e3', '1e3'],
    ['100Ki', '100Ki'],
    ['0', '0'],
    ['512', '512'],
    ['0.1Ki', '102400m'],
    ['2048', '2048'],
  ])('%s is stored as %s', (given, stored) => {
    expect(canonicalQuantity(given)).toBe(stored);
  });

  it('keeps its amount in its stored spelling, which is stored as itself', () => {
    const unit = fc.constantFrom('', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi');
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e6 }), unit, (number, suffix) => {
        const stored = canonicalQuantity(`${number}${suffix}`);
        expect(amountOf(stored)).toBeCloseTo(amountOf(`${number}${suffix}`) ?? Number.NaN, 3);
        expect(canonicalQuantity(stored)).toBe(stored);
      }),
    );
  });

  it.each(['', 'abc', '1 Gi', '1gi', '--1', '1e99999', '١'])('%j is none', (text) => {
    expect(amountOf(text)).toBeUndefined();
  });
});
