import { applyPatch, type Operation } from 'rfc6902';
import { describe, expect, it } from 'vitest';
import { cloudFoundryFamily } from '../../../src/cloudfoundry/family.ts';
import { defaultOperatorConfig } from '../../../src/flink/config/default-operator-config.ts';
import { flinkFamily } from '../../../src/flink/family.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { kudoFamily } from '../../../src/kudo/family.ts';
import type { Write } from '../../../src/portrait/verb.ts';
import { apps, blueGreens, deployments, instances, type Seen, sessionJobs } from './corpus.ts';
import { luaScript } from './run-lua.ts';
import { scripts, scriptsOf } from './scripts.ts';

const workloads = [flinkFamily(defaultOperatorConfig), cloudFoundryFamily, kudoFamily].flatMap((one) => one.workloads);

/** A time that no nonce of the corpus reaches, and what comes of it for ids. */
const now = 1_800_000_000;
const id = `argocd-${now}`;

/** What the verbs of a kind cannot do by one write of the object itself, so that no action can. */
const beyond: Readonly<Record<string, readonly string[]>> = {
  // They write a CFDeployment as well, or one with an id that must be theirs alone.
  CFApp: ['promote', 'abort', 'restart'],
};

/** What the command line knows by looking around, and an action only by being refused later. */
const looksAround: Readonly<Record<string, readonly string[]>> = {
  FlinkBlueGreenDeployment: ['rollback', 'promote'],
  Instance: ['restart', 'retry', 'rollback'],
};

const kinds: readonly (readonly [string, () => readonly Seen[]])[] = [
  ['FlinkBlueGreenDeployment', blueGreens],
  ['FlinkDeployment', deployments],
  ['FlinkSessionJob', sessionJobs],
  ['Instance', instances],
  ['CFApp', apps],
];

describe('actions in Argo CD', () => {
  it.each(kinds)('of a %s are its verbs', (kind) => {
    const verbs = workloads.find(({ type }) => type.kind === kind)?.verbs.map(({ name }) => name) ?? [];
    const here = verbs.filter((name) => !beyond[kind]?.includes(name));
    expect(Object.keys(scriptsOf(kind).actions).sort()).toEqual(here.sort());
  });

  it.each(kinds)('of a %s are offered when the command line would do them, and write the same', (kind, corpus) => {
    const { discovery = '', actions } = scriptsOf(kind);
    const workload = workloads.find(({ type }) => type.kind === kind);
    const offered = luaScript(discovery) as (object: unknown) => Record<string, { readonly disabled: boolean }>;
    const act = new Map(Object.entries(actions).map(([name, text]) => [name, luaScript(text, { now })]));
    const done = new Set<string>();
    const wrong: unknown[] = [];
    for (const { object, around } of corpus()) {
      const offers = offered(object);
      for (const verb of workload?.verbs ?? []) {
        const action = act.get(verb.name);
        if (!action) continue;
        const steering = verb.request(structuredClone(object), around, { id });
        const can = offers[verb.name]?.disabled === false;
        const may = steering.is === 'writes';
        // An offer too many where the object alone does not tell; never one too few.
        if (can !== may && !(can && looksAround[kind]?.includes(verb.name))) {
          wrong.push({ verb: verb.name, offered: can, steering, object });
        }
        if (!may || !can) continue;
        done.add(verb.name);
        const [ours, theirs] = [written(object, steering.writes), action(object)];
        if (canonical(withoutNonces(ours)) !== canonical(withoutNonces(theirs))) {
          wrong.push({ verb: verb.name, ours, theirs });
        }
        if (!nonceGrows(object, ours, theirs)) wrong.push({ verb: verb.name, nonce: [ours, theirs] });
      }
    }
    expect(wrong.length, JSON.stringify(wrong[0], null, 1)).toBe(0);
    expect([...done].sort()).toEqual([...act.keys()].sort());
  });

  it('exist for no kind that has no verbs', () => {
    const acting = scripts().filter(({ discovery }) => discovery !== undefined);
    expect(acting.map(({ kind }) => kind).sort()).toEqual(kinds.map(([kind]) => kind).sort());
  });
});

/** The object after the writes of a verb, which must all be to itself. */
function written(object: AnyObject, writes: readonly Write[]): unknown {
  const after = structuredClone(object);
  for (const write of writes) {
    if (write.do !== 'patch' || write.name !== object.metadata.name) throw new Error(`not to itself: ${write.do}`);
    const failed = applyPatch(after, structuredClone(write.patch) as Operation[]).filter((one) => one !== null);
    if (failed.length > 0) throw failed[0];
  }
  return after;
}

type Loose = { readonly [name: string]: Loose | undefined };

const nonceOf = (object: unknown): unknown => {
  const { spec } = object as Loose;
  return spec?.template?.spec?.restartNonce ?? spec?.restartNonce;
};

/** The command line counts on, an action takes the time: what matters is that both are new, and larger than all before. */
function nonceGrows(before: unknown, ours: unknown, theirs: unknown): boolean {
  const [was, one, other] = [before, ours, theirs].map(nonceOf);
  if (one === was) return other === was;
  return typeof one === 'number' && typeof other === 'number' && other >= one && other > Number(was ?? 0);
}

function withoutNonces(object: unknown): unknown {
  return JSON.parse(JSON.stringify(object), (key, value) => (key === 'restartNonce' ? undefined : value));
}

/** Lua knows no difference between an empty list and an empty object, and has no null. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return value.length === 0 ? '{}' : `[${value.map(canonical).join()}]`;
  const members = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${name}:${canonical(one)}`)
    .join()}}`;
}
