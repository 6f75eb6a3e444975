import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cloudFoundryFamily } from '../../../src/cloudfoundry/family.ts';
import { defaultOperatorConfig } from '../../../src/flink/config/default-operator-config.ts';
import { flinkFamily } from '../../../src/flink/family.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { kudoFamily } from '../../../src/kudo/family.ts';
import type { Phase } from '../../../src/portrait/summary.ts';
import { apps, blueGreens, deployments, instances, type Seen, sessionJobs } from './corpus.ts';
import { notIn51 } from './not-in-5-1.ts';
import { luaScript } from './run-lua.ts';
import { needsLibraries, scripts, scriptsOf } from './scripts.ts';

/** Argo CD's word for each of ours. */
const words: Readonly<Record<Phase, string>> = {
  healthy: 'Healthy',
  progressing: 'Progressing',
  unknown: 'Progressing',
  deleting: 'Progressing',
  waiting: 'Suspended',
  paused: 'Suspended',
  suspended: 'Suspended',
  degraded: 'Degraded',
  failed: 'Degraded',
};

interface Health {
  readonly status: string;
  readonly message?: string;
}

const workloads = [flinkFamily(defaultOperatorConfig), cloudFoundryFamily, kudoFamily].flatMap((one) => one.workloads);

/** Says how an object of a kind is. */
function judge(kind: string): (object: unknown) => Health {
  const found = scriptsOf(kind);
  return luaScript(found.health, { strings: needsLibraries(found) }) as (object: unknown) => Health;
}

function phaseOf(object: AnyObject): Phase {
  const workload = workloads.find(({ type }) => type.kind === object.kind);
  if (!workload) throw new Error(`${object.kind} is no workload`);
  return workload.summarize(object).phase;
}

type Loose = { readonly observedGeneration?: unknown; readonly conditions?: readonly Record<string, unknown>[] };

/** An edit that nobody has looked at: then Argo CD waits, whatever the status says of the one before. */
function isUnseen({ metadata, status }: AnyObject): boolean {
  const { observedGeneration } = (status ?? {}) as Loose;
  return typeof observedGeneration === 'number' && observedGeneration < (metadata.generation ?? 0);
}

/** Cutover stands aside: what a family calls unknown then, is for Argo CD nothing to wait for. */
function isAside({ status }: AnyObject): boolean {
  const { conditions = [] } = (status ?? {}) as Loose;
  return conditions.some(
    ({ type, status: is }) => (type === 'ManagedElsewhere' || type === 'SchemaOutdated') && is === 'True',
  );
}

const kinds: readonly (readonly [string, () => readonly Seen[]])[] = [
  ['FlinkBlueGreenDeployment', blueGreens],
  ['FlinkDeployment', deployments],
  ['FlinkSessionJob', sessionJobs],
  ['Instance', instances],
  ['CFApp', apps],
];

describe('the health of a workload in Argo CD', () => {
  it.each(kinds)('is for a %s what the command line says', (kind, corpus) => {
    const met = new Map<string, number>();
    const wrong: unknown[] = [];
    const healthOf = judge(kind);
    for (const { object } of corpus()) {
      const { status, message } = healthOf(object);
      const phase = phaseOf(object);
      const expected = phase === 'unknown' && isAside(object) ? 'Suspended' : words[phase];
      const waits = isUnseen(object) && status === 'Progressing';
      if (status !== expected && !waits) wrong.push({ said: status, message, expected: phase, object });
      if (typeof message !== 'string' || message === '') wrong.push({ silent: status, object });
      met.set(phase, (met.get(phase) ?? 0) + 1);
    }
    expect(wrong.length, JSON.stringify(wrong[0], null, 1)).toBe(0);
    // A corpus in which nothing happens would prove nothing.
    expect([...met.keys()].length, JSON.stringify([...met])).toBeGreaterThanOrEqual(6);
  });
});

describe('every health check', () => {
  it.each(scripts().map((one) => [one.kind, one] as const))('of %s answers for anything', (kind) => {
    const healthOf = judge(kind);
    const hostile = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>('', 'True', 'x', 0, -1, 1e300, true, null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom('type', 'status', 'reason', 'message', 'phase', 'id', 'from', 'state', 'color', 'name', '1'),
          tie('any'),
          { maxKeys: 4 },
        ),
      ),
    })).any;
    const names = ['conditions', 'transition', 'serving', 'history', 'planStatus', 'execution', 'jobStatus', 'aborted'];
    const status = fc.oneof(hostile, fc.dictionary(fc.constantFrom(...names, 'observedGeneration'), hostile));
    fc.assert(
      fc.property(hostile, hostile, status, (metadata, spec, told) => {
        const { status: said } = healthOf({ metadata, spec, status: told });
        expect(['Healthy', 'Progressing', 'Suspended', 'Degraded']).toContain(said);
      }),
      { numRuns: 60, seed: 1 },
    );
    expect(healthOf({ metadata: {}, spec: {} }).status).not.toBe('Healthy');
  });

  it.each(
    scripts().flatMap((one) => [
      [`${one.kind} health`, one.health] as const,
      ...Object.entries({ discovery: one.discovery ?? '', ...one.actions }).map(
        ([name, text]) => [`${one.kind} ${name}`, text] as const,
      ),
    ]),
  )('%s is Lua 5.1', (_, script) => {
    expect(notIn51(script)).toEqual([]);
  });

  it('would be caught if it were not', () => {
    expect(notIn51('local a = 7 // 2 -- &\nlocal b = a ~= 1 and "a//b"')).toEqual(['integer division //']);
    expect(notIn51('goto done ::done:: local c = 1 & 2')).toEqual(['goto', 'labels', 'bitwise operators']);
  });

  it('uses libraries only where Argo CD is told so', () => {
    const needing = scripts().filter(needsLibraries);
    expect(needing.map(({ kind }) => kind)).toEqual(['FlinkBlueGreenDeployment', 'CFApp']);
    const actions = scripts().flatMap(({ discovery = '', actions }) => [discovery, ...Object.values(actions)]);
    expect(actions.filter((text) => /\b(?:string|math|io)\.|:(?:find|match|gsub|sub|format)\(/.test(text))).toEqual([]);
  });
});

describe('a snapshot of state and the kinds of Cloud Foundry', () => {
  it.each([
    ['COMPLETED', 'Healthy'],
    ['FAILED', 'Degraded'],
    ['ABANDONED', 'Degraded'],
    ['IN_PROGRESS', 'Progressing'],
    ['TRIGGER_PENDING', 'Progressing'],
  ])('a snapshot that is %s is %s', (state, health) => {
    expect(judge('FlinkStateSnapshot')({ metadata: {}, spec: {}, status: { state } }).status).toBe(health);
  });

  it.each(['CFOrg', 'CFSpace', 'CFDomain', 'CFRoute', 'CFProcess'])('a %s is healthy when it is ready', (kind) => {
    const of = (status: string, observedGeneration: number) => ({
      metadata: { generation: 2 },
      status: { conditions: [{ type: 'Ready', status, observedGeneration, reason: 'R', message: 'm' }] },
    });
    const healthOf = judge(kind);
    expect(healthOf(of('True', 2)).status).toBe('Healthy');
    expect(healthOf(of('True', 1)).status).toBe('Progressing');
    expect(healthOf(of('False', 2))).toEqual({ status: 'Progressing', message: 'm' });
  });
});
