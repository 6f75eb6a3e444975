import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { resolveDependencies } from '../../../src/kudo/package/dependencies.ts';
import { listParameters, listPlans, listTasks } from '../../../src/kudo/package/list.ts';
import { loadPackage } from '../../../src/kudo/package/load-package.ts';
import { PackageError } from '../../../src/kudo/package/package-error.ts';
import { parsePackage } from '../../../src/kudo/package/parse-package.ts';
import { instanceOf, operatorVersionOf } from '../../../src/kudo/package/to-resources.ts';
import {
  verificationFailure,
  verificationText,
  verifyPackage,
} from '../../../src/kudo/package/verify/verify-package.ts';
import { type PackageDifference, packageDifferences } from './package-differences.ts';
import { type PackageRecording, packageOf, packagesFolder, recordings, sentRecordings } from './package-recording.ts';

interface Said {
  readonly failed: boolean;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

const met = new Set<PackageDifference>();

/** Lines that only one side has and that no entry of the table speaks of. */
function unlisted(recording: PackageRecording, only: 'ours' | 'theirs', lines: readonly string[]): readonly string[] {
  return lines.filter((line) => {
    const entry = packageDifferences.find(
      (one) =>
        one.only === only &&
        (typeof one.recording === 'string' ? one.recording === recording.name : one.recording.test(recording.name)) &&
        one.line.test(line),
    );
    if (entry) met.add(entry);
    return !entry;
  });
}

/** Without the lines that are in the other list as well, each as often as it is there. */
function minus(lines: readonly string[], other: readonly string[]): readonly string[] {
  const left = [...other];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at < 0) return true;
    left.splice(at, 1);
    return false;
  });
}

function compare(recording: PackageRecording, said: Said): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    const ours = minus(said[stream], recording[stream]);
    const theirs = minus(recording[stream], said[stream]);
    expect({ stream, ours: unlisted(recording, 'ours', ours), theirs: unlisted(recording, 'theirs', theirs) }).toEqual({
      stream,
      ours: [],
      theirs: [],
    });
    if (!recording.anyOrder) expect(minus(said[stream], ours)).toEqual(minus(recording[stream], theirs));
  }
  expect(said.failed).toBe(recording.exit !== 0);
}

async function verify(recording: PackageRecording): Promise<Said> {
  const checks = recording.command.includes('--param-checks') ? ['all'] : [];
  try {
    const findings = verifyPackage(parsePackage(await loadPackage(packageOf(recording))), checks);
    const failure = verificationFailure(findings);
    return {
      failed: failure !== undefined,
      stdout: verificationText(findings).replace(/\n$/, '').split('\n'),
      stderr: failure === undefined ? [] : [`Error: ${failure}`],
    };
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    return { failed: true, stdout: [], stderr: [`Error: ${error.message.replaceAll(packagesFolder, '/path')}`] };
  }
}

async function list(recording: PackageRecording): Promise<Said> {
  const version = operatorVersionOf(parsePackage(await loadPackage(packageOf(recording))), 'default');
  const lists = { parameters: listParameters, plans: listPlans, tasks: listTasks };
  const text = lists[recording.command[1] as keyof typeof lists](version);
  return { failed: false, stdout: text.replace(/\n$/, '').split('\n'), stderr: [] };
}

describe('package verify', () => {
  it.each(recordings('verify').map((one) => [one.name, one] as const))('%s', async (_, recording) => {
    compare(recording, await verify(recording));
  });
});

describe('package list', () => {
  const answered = recordings('list').filter(({ exit }) => exit === 0);
  it.each(answered.map((one) => [one.name, one] as const))('%s', async (_, recording) => {
    compare(recording, await list(recording));
  });
});

describe('what an installation sends', () => {
  it.each(sentRecordings().map((one) => [one.name, one] as const))('%s', async (name, recording) => {
    const documents = parseAllDocuments(readFileSync(recording.sent, 'utf8'));
    if (!Array.isArray(documents)) throw new Error(`${name} is empty`);
    // The Instance of an upgrade was recorded after it, with all that was done to it before.
    const sent = documents
      .map((document) => document.toJS())
      .filter(({ kind }) => kind !== 'Instance' || !name.endsWith('-v2.yaml'));
    const folder = name.startsWith('09-') ? join(recording.package, 'operator') : recording.package;
    const { root, dependencies } = await resolveDependencies(folder, { namespace: sent[0].metadata.namespace });
    const all = [...dependencies, root];
    const instance = sent.find(({ kind }) => kind === 'Instance');
    expect([
      ...all.map(({ operator }) => operator),
      ...all.map(({ operatorVersion }) => operatorVersion),
      ...(instance ? [instanceOf(root, instance.metadata.name, instance.spec.parameters ?? {})] : []),
    ]).toEqual(sent);
  });
});

describe('the table of differences', () => {
  afterAll(() => met.clear());
  it('has no entry that no longer occurs', () => {
    expect(packageDifferences.filter((entry) => !met.has(entry))).toEqual([]);
  });
});
