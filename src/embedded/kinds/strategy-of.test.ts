import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../clock/random.ts';
import { VirtualClock } from '../../clock/virtual.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Draft, StrategyContext } from '../resource.ts';
import { invalid, StatusError } from '../status-error.ts';
import { strategyOf } from './strategy-of.ts';

/**
 * What a real API server of Kubernetes 1.37 stored and refused (`kubectl create --dry-run=server`), compared with what
 * the strategies say. Names of generated things and times are normalised.
 */
const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`testdata/${name}`, import.meta.url), 'utf8'));

interface Refusal {
  readonly kind: string;
  readonly change: Readonly<Record<string, unknown>>;
  /** Empty when the server accepted. */
  readonly message: string;
  readonly sealed?: boolean;
}

const created = read<readonly { readonly sent: Draft; readonly stored: AnyObject }[]>('created.json');
const refused = read<{
  readonly base: Readonly<Record<string, Draft>>;
  readonly creates: readonly Refusal[];
  readonly updates: readonly Refusal[];
}>('refused.json');

const context: StrategyContext = {
  clock: new VirtualClock(),
  random: seededRandom(1),
  read: (_, plural, __, name) =>
    plural === 'serviceaccounts' && name === 'default' ? ({ metadata: { name } } as AnyObject) : undefined,
  all: () => [],
};

const groupOf = ({ apiVersion }: Draft): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '');

function store(sent: Draft): Draft {
  const draft = structuredClone(sent);
  const strategy = strategyOf(groupOf(draft), draft.kind);
  draft.metadata.uid = 'UID';
  if (strategy.generation) draft.metadata.generation = 1;
  strategy.defaults?.(draft);
  strategy.prepareForCreate?.(draft, context);
  return draft;
}

function problem(draft: Draft, before?: Draft): string {
  const strategy = strategyOf(groupOf(draft), draft.kind);
  const errors = strategy.validate?.(draft as AnyObject, before as AnyObject | undefined, context) ?? [];
  return errors.length > 0 ? invalid(groupOf(draft), draft.kind, draft.metadata.name, errors).message : '';
}

/** Things that the server draws by lot, and the Go structures it prints where we print JSON. */
function normal(text: string): string {
  return text
    .replace(/kube-api-access-\w{5}/g, 'kube-api-access-X')
    .replace(/"10\.96\.\d+\.\d+"/g, '"10.96.0.0"')
    .replace(/"nodePort":\d+/g, '"nodePort":0')
    .replace(/"lastPhaseTransitionTime":"[^"]*"/g, '"lastPhaseTransitionTime":"T"')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(
      /Invalid value: (\[?\{.*\}\]?): (field is immutable|must be|only allowed|minAvailable and)/g,
      'Invalid value: …: $2',
    )
    .replace(/Unsupported value: \{.*?\}: /g, 'Unsupported value: …: ');
}

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

describe('what is stored', () => {
  it.each(
    created.map((pair) => [`${pair.sent.apiVersion} ${pair.sent.kind} ${pair.sent.metadata.name}`, pair] as const),
  )('of %s is what the real server stores', (_, { sent, stored }) => {
    const { uid, ...metadata } = store(sent).metadata;
    const ours = { ...store(sent), metadata };
    expect(problem(store(sent))).toBe('');
    expect(JSON.parse(normal(sortedJson(ours)))).toEqual(JSON.parse(normal(sortedJson(stored))));
  });

  it.each(created.map((pair) => [`${pair.sent.kind} ${pair.sent.metadata.name}`, pair.stored] as const))(
    'of %s is left alone by a second defaulting',
    (_, stored) => {
      const again = structuredClone(stored) as unknown as Draft;
      strategyOf(groupOf(again), again.kind).defaults?.(again);
      expect(again).toEqual(stored);
    },
  );
});

function changed(draft: Draft, change: Refusal['change']): Draft {
  const result = structuredClone(draft);
  for (const [path, value] of Object.entries(change)) {
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    // biome-ignore lint/suspicious/noExplicitAny: a path leads anywhere
    const target = parts.reduce((at: any, part) => (at[part] ??= {}), result);
    if (value === null) delete target[last];
    else target[last] = value;
  }
  return result;
}

const title = ({ kind, change }: Refusal): string => `${kind} ${JSON.stringify(change)}`;

describe('a new object', () => {
  it.each(refused.creates.map((one) => [title(one), one] as const))('%s is judged as by the real server', (_, one) => {
    const base = refused.base[one.kind] as Draft;
    const sent = changed(base, one.change);
    sent.metadata.namespace = base.kind === 'Event' ? 'kinds-oracle' : 'default';
    let message: string;
    try {
      message = problem(store(sent));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      message = error.message;
    }
    expect(normal(message)).toBe(normal(one.message.replaceAll('kinds-oracle/', 'default/')));
  });
});

describe('a change', () => {
  it.each(refused.updates.map((one) => [title(one), one] as const))('%s is judged as by the real server', (_, one) => {
    const base = structuredClone(refused.base[one.kind] as Draft);
    if (one.sealed) Object.assign(base, { immutable: true, metadata: { name: 'sealed' } });
    const before = store(base);
    const after = changed(before, one.change);
    const strategy = strategyOf(groupOf(after), after.kind);
    strategy.defaults?.(after);
    strategy.prepareForUpdate?.(after, before as AnyObject, context);
    expect(normal(problem(after, before))).toBe(normal(one.message));
  });
});
