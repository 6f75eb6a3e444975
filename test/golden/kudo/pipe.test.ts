import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { changedFields, showField } from '../../../src/kudo/graph/changed-fields.ts';
import { annotations } from '../../../src/kudo/keys.ts';
import { KudoStage } from '../../kudo/kudo-stage.ts';
import { type RecordedObject, recordings } from './object-recording.ts';
import { type PipeDifference, pipeDifferences } from './pipe/differences.ts';
import { writeProgram } from './pipe/write-program.ts';

interface RecordedFailure {
  readonly step: string;
  readonly plan: string;
  readonly reason: string;
  readonly message: string;
  /** What is left of the Pipe tasks. */
  readonly pods: readonly string[];
}

const failures = JSON.parse(
  readFileSync(join(import.meta.dirname, 'pipe', 'failures.json'), 'utf8'),
) as readonly RecordedFailure[];

const [recording] = recordings().filter((one) => one.package === '08-pipe');
if (!recording) throw new Error('the recordings of 08-pipe are missing');
const { namespace, recorded, versions } = recording;

const podName = 'pp.deploy.mainphase.genstep.generate.pipepod';
const met = new Set<PipeDifference>();
let stage: KudoStage;

beforeAll(async () => {
  stage = await KudoStage.open({ nodes: { programs: [writeProgram] } });
  stage.start();
  await stage.version('theta-0.1.0', versions['theta-0.1.0'] ?? {});
});

afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
  expect(pipeDifferences.filter((one) => !met.has(one))).toEqual([]);
});

/** Text of ours in the words of the recordings. */
function asRecorded(text: string): string {
  const { metadata, status } = stage.instance('pp');
  const executions = [status?.execution?.uid, ...(status?.history ?? []).map(({ uid }) => uid)].filter(Boolean);
  let worded = text.replaceAll(metadata.uid ?? '-', '<uid-of Instance/pp>').replaceAll('default', namespace);
  for (const [index, uid] of executions.reverse().entries())
    worded = worded.replaceAll(uid ?? '-', `<uid-${index + 1}>`);
  return worded;
}

/** What we applied. Secrets do not tell, so of them what is there. */
function applied(object: AnyObject): AnyObject {
  const text = object.metadata.annotations?.[annotations.lastApplied];
  const { resourceVersion: _v, uid: _u, creationTimestamp: _c, managedFields: _m, ...metadata } = object.metadata;
  return JSON.parse(asRecorded(text ?? JSON.stringify({ ...object, metadata }))) as AnyObject;
}

/** Fields in which an object of ours differs from the recorded one, apart from listed ones. */
function unlisted(theirs: AnyObject, ours: AnyObject): readonly string[] {
  const { fields } = changedFields(slim(theirs), slim(ours), { fields: 100, compared: 10_000 });
  return fields.map(showField).filter((field) => {
    const entry = pipeDifferences.find((one) => one.kind === theirs.kind && one.field === field);
    if (entry) met.add(entry);
    return !entry;
  });
}

/** Without what is there only because Go's types write it. */
function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, slim(item)]);
  return Object.fromEntries(
    entries.filter(
      ([, item]) => !(item === null || (typeof item === 'object' && Object.keys(item as object).length === 0)),
    ),
  );
}

function recordedAt(step: string, kind: string): readonly RecordedObject[] {
  const made = recorded.filter((one) => one.step === step && one.applied.kind === kind);
  if (made.length === 0) throw new Error(`nothing of kind ${kind} was recorded at ${step}`);
  return made;
}

function compareArtifacts(step: string): void {
  for (const [kind, type] of [
    ['ConfigMap', kinds.configMaps],
    ['Secret', kinds.secrets],
  ] as const) {
    for (const { applied: theirs } of recordedAt(step, kind)) {
      const live = stage.find(type, theirs.metadata.name ?? '');
      expect(live && unlisted(theirs, applied(live)), theirs.metadata.name).toEqual([]);
    }
  }
}

async function comparePod(step: string): Promise<void> {
  const [theirs] = recordedAt(step, 'Pod');
  const pod = (): AnyObject | undefined => {
    const found = stage.find(kinds.pods, podName);
    return found?.metadata.deletionTimestamp === undefined ? found : undefined;
  };
  const uid = stage.instance('pp').status?.execution?.uid;
  await stage.until(
    'the pod is there',
    () => pod() !== undefined && (uid === undefined || pod()?.metadata.annotations?.[annotations.planUid] === uid),
  );
  const live = pod();
  expect(theirs && live && unlisted(theirs.applied, applied(live))).toEqual([]);
}

describe('what KUDO 0.19.0 made of a package with Pipe tasks', () => {
  it('is made here too: the pod, then the artifacts, then what refers to them', async () => {
    await stage.install('pp', { operatorVersion: { name: 'theta-0.1.0' } });
    await comparePod('01-install-early');
    await stage.settled('pp', 1);
    expect(stage.last('pp')).toBe('deploy COMPLETE');
    compareArtifacts('02-install');
    await stage.until('the pod is gone', () => stage.find(kinds.pods, podName) === undefined);
  });

  it('is made anew when a parameter of the pod changes', async () => {
    await stage.set('pp', { SEED: 's2' });
    await stage.until('the plan has begun', () => stage.instance('pp').status?.executions === 2);
    await comparePod('03-seed');
    await stage.settled('pp', 2);
    compareArtifacts('03-seed');
  });

  it.each(failures)('fails here too, in the same words: $step', async ({ plan, reason, message, pods }) => {
    const executions = (stage.instance('pp').status?.executions ?? 0) + 1;
    await stage.trigger('pp', plan);
    await stage.settled('pp', executions);
    const { status } = stage.instance('pp');
    const [past] = status?.history ?? [];
    expect(past).toMatchObject({ plan, outcome: 'FATAL_ERROR' });
    // KUDO runs its commands on a terminal, which ends lines in its own way.
    const words = message.trimEnd();
    expect(asRecorded(past?.message ?? '')).toBe(words);
    expect(asRecorded(status?.planStatus?.[plan]?.phases?.[0]?.steps?.[0]?.message ?? '')).toBe(words);
    expect(stage.pods().map(({ metadata }) => metadata.name)).toEqual(pods);
    await stage.until('it is told', () =>
      stage.embedded.world.list<AnyObject>(kinds.events, {}).some((event) => {
        return event.reason === reason && event.type === 'Warning' && asRecorded(String(event.note)) === words;
      }),
    );
  });

  it('is gone with the Instance', async () => {
    await stage.remove('pp');
    await stage.until(
      'all is gone',
      () =>
        stage.pods().length === 0 &&
        recorded.every(({ applied: { kind, metadata } }) => {
          const type = kind === 'Secret' ? kinds.secrets : kinds.configMaps;
          return kind === 'Pod' || stage.find(type, metadata.name ?? '') === undefined;
        }),
    );
  });
});
