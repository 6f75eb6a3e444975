import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlinkDeploymentSpec } from './flink-deployment.ts';
import { deploymentSpecs } from './spec.fixture.ts';
import { type DiffType, deploymentChange } from './spec-change.ts';

const modes = fc.constantFrom<'native' | 'standalone'>('native', 'standalone');

describe('any two specs', () => {
  it('demand what the reference says, field by field', () => {
    fc.assert(
      fc.property(deploymentSpecs, deploymentSpecs, modes, (from, to, mode) => {
        expect(deploymentChange(from, to, { mode }).type).toBe(byTheBook(from, to, mode));
      }),
      { numRuns: 300 },
    );
  });

  it('demand what the reference says when they differ in one field', () => {
    const ofTheJob = Object.keys(ofJob).map((name) => `job.${name}`);
    const names = [...Object.keys(plain), ...ofTheJob, 'flinkConfiguration', 'taskManager.replicas'];
    fc.assert(
      fc.property(deploymentSpecs, deploymentSpecs, modes, fc.constantFrom(...names), (from, other, mode, name) => {
        const to = withField(from, other, name.split('.'));
        expect(deploymentChange(from, to, { mode }).type).toBe(byTheBook(from, to, mode));
      }),
      { numRuns: 600 },
    );
  });

  it('have a text exactly when they differ', () => {
    fc.assert(
      fc.property(deploymentSpecs, deploymentSpecs, (from, to) => {
        const { changes, text } = deploymentChange(from, to);
        expect(text !== '').toBe(changes.length > 0);
      }),
    );
  });

  it('demand nothing of themselves', () => {
    fc.assert(
      fc.property(deploymentSpecs, (spec) => {
        expect(deploymentChange(spec, structuredClone(spec)).changes).toEqual([]);
      }),
    );
  });

  it('demand nothing when only nonces are taken away', () => {
    fc.assert(
      fc.property(deploymentSpecs, (spec) => {
        const { restartNonce: _restart, ...rest } = spec;
        const { savepointRedeployNonce: _savepoint, statelessRedeployNonce: _stateless, ...job } = spec.job ?? {};
        const without = { ...rest, ...(spec.job && { job }) };
        expect(deploymentChange(spec, without)).toMatchObject({ type: 'IGNORE', changes: [] });
      }),
    );
  });
});

/**
 * The upstream's rules written down a second time, as its reference tells them and in the simplest way: compare each
 * field as a whole, look up its class, take the highest. It knows nothing of schemas.
 */
function byTheBook(from: FlinkDeploymentSpec, to: FlinkDeploymentSpec, mode: 'native' | 'standalone'): DiffType {
  const [before, after] = [from as Fields, to as Fields];
  const found: DiffType[] = ['IGNORE'];
  const check = (name: string, type: DiffType, left: unknown, right: unknown) => {
    const nonce = name === 'restartNonce' || name.endsWith('RedeployNonce');
    if (nonce && right === undefined) return;
    if (!isDeepStrictEqual(told(name, left), told(name, right))) found.push(type);
  };
  const standaloneScale = mode === 'standalone' ? 'SCALE' : 'UPGRADE';

  for (const name of Object.keys(plain))
    check(name, 'UPGRADE', before[name] ?? plain[name], after[name] ?? plain[name]);

  const [tasks, newTasks] = [before.taskManager as Fields | undefined, after.taskManager as Fields | undefined];
  if (!tasks || !newTasks) check('taskManager', 'UPGRADE', tasks, newTasks);
  else {
    check('replicas', standaloneScale, tasks.replicas, newTasks.replicas);
    for (const name of ['resource', 'resources', 'podTemplate']) check(name, 'UPGRADE', tasks[name], newTasks[name]);
  }

  const [job, newJob] = [before.job as Fields | undefined, after.job as Fields | undefined];
  if (!job || !newJob) check('job', 'UPGRADE', job, newJob);
  else {
    for (const [name, [type, absent]] of Object.entries(ofJob)) {
      check(name, type === 'BY_MODE' ? standaloneScale : type, job[name] ?? absent, newJob[name] ?? absent);
    }
  }

  const [config, newConfig] = [flat(before.flinkConfiguration), flat(after.flinkConfiguration)];
  for (const key of new Set([...config.keys(), ...newConfig.keys()])) {
    check(key, ofKey(key, mode), config.get(key), newConfig.get(key));
  }
  return order.findLast((type) => found.includes(type)) ?? 'IGNORE';
}

type Fields = Readonly<Record<string, unknown>>;

const order: readonly DiffType[] = ['IGNORE', 'SCALE', 'UPGRADE', 'SAVEPOINT_REDEPLOY', 'STATELESS_REDEPLOY'];

/** Fields that demand an upgrade, and what they are when absent. */
const plain: Fields = {
  image: undefined,
  imagePullPolicy: undefined,
  serviceAccount: undefined,
  flinkVersion: undefined,
  ingress: undefined,
  podTemplate: undefined,
  jobManager: undefined,
  logConfiguration: undefined,
  mode: 'native',
  restartNonce: undefined,
};

const ofJob: Readonly<Record<string, readonly [type: DiffType | 'BY_MODE', absent?: unknown]>> = {
  jarURI: ['UPGRADE'],
  parallelism: ['BY_MODE', 0],
  entryClass: ['UPGRADE'],
  args: ['UPGRADE', []],
  state: ['UPGRADE', 'running'],
  savepointTriggerNonce: ['IGNORE'],
  initialSavepointPath: ['IGNORE'],
  checkpointTriggerNonce: ['IGNORE'],
  upgradeMode: ['IGNORE', 'stateless'],
  allowNonRestoredState: ['IGNORE'],
  savepointRedeployNonce: ['SAVEPOINT_REDEPLOY'],
  statelessRedeployNonce: ['STATELESS_REDEPLOY'],
  autoscalerResetNonce: ['IGNORE'],
};

function ofKey(key: string, mode: 'native' | 'standalone'): DiffType {
  if (/^(job\.autoscaler|parallelism\.default|kubernetes\.operator)/.test(key)) return 'IGNORE';
  return key.startsWith('pipeline.jobvertex-parallelism-overrides') && mode === 'native' ? 'SCALE' : 'UPGRADE';
}

function flat(configuration: unknown, prefix = ''): Map<string, string> {
  const entries = Object.entries((configuration ?? {}) as Fields).flatMap(([key, value]): [string, string][] => {
    if (Array.isArray(value)) return value.length > 0 ? [[prefix + key, value.join(';')]] : [];
    return typeof value === 'object' ? [...flat(value, `${prefix}${key}.`)] : [[prefix + key, String(value)]];
  });
  return new Map(entries);
}

/** A value as it counts: one JobManager unless told otherwise; of a pod template no envelope and nothing that is empty. */
function told(name: string, value: unknown, inPod = false): unknown {
  if (Array.isArray(value)) return value.map((one) => told('', one, inPod));
  if (typeof value !== 'object' || value === null) return value;
  const { apiVersion: _, ...rest } = value as Fields;
  const fields = name === 'podTemplate' ? rest : name === 'jobManager' ? { replicas: 1, ...value } : value;
  const pod = inPod || name === 'podTemplate' || name === 'resources';
  return Object.fromEntries(
    Object.entries(fields)
      .map(([inner, one]) => [inner, told(inner, one, pod)] as const)
      .filter(
        ([inner, one]) => !(pod && (Array.isArray(one) || maps.has(inner)) && Object.keys(one as object).length === 0),
      ),
  );
}

const maps = new Set(['labels', 'annotations', 'requests', 'limits']);

/** The first spec with one field of the other. */
function withField(from: Fields, other: Fields, [name = '', inner]: readonly string[]): FlinkDeploymentSpec {
  const target: Record<string, unknown> = { ...from };
  const [left, right] = [from[name] ?? {}, other[name] ?? {}];
  const value = inner === undefined ? other[name] : withField(left as Fields, right as Fields, [inner]);
  if (value === undefined) delete target[name];
  else target[name] = value;
  return target as FlinkDeploymentSpec;
}
