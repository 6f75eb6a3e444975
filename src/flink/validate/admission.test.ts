import { describe, expect, it } from 'vitest';
import type { Hook, Verdict } from '../../control/webhooks/admission.ts';
import type { AdmissionRequest } from '../../control/webhooks/admission-review.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { flinkFamily, flinkHooks } from '../family.ts';
import { deployment, type Edits, edited, nowhere, operator, sessionJob } from './example.fixture.ts';

const hooks = flinkHooks(
  flinkFamily(() => operator),
  nowhere,
);

function request(object: KubeObject | undefined, more: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    uid: 'u',
    operation: more.oldObject ? 'UPDATE' : 'CREATE',
    kind: { group: 'flink.apache.org', version: 'v1beta1', kind: object?.kind ?? 'FlinkDeployment' },
    user: 'someone',
    dryRun: false,
    object: object as AnyObject | undefined,
    ...more,
  };
}

async function asked(object: KubeObject | undefined, more: Partial<AdmissionRequest> = {}): Promise<Verdict> {
  const { validate } = hooks['/validate'] as Extract<Hook, { validate: unknown }>;
  return validate(request(object, more));
}

const update = (before: Edits, after: Edits): Promise<Verdict> =>
  asked(edited(deployment, after), { oldObject: edited(deployment, before) as unknown as AnyObject });

const noAccount = { 'spec.serviceAccount': undefined };
const noParallelism = { 'spec.job.parallelism': 0 };

describe('the validating hook', () => {
  it('accepts what is well, without a word', async () => {
    expect(await asked(deployment)).toEqual({ allowed: true });
  });

  it('refuses a new resource with all its problems', async () => {
    const verdict = await asked(edited(deployment, { ...noAccount, ...noParallelism }));
    expect(verdict).toMatchObject({ allowed: false, code: 422 });
    expect((verdict as { message: string }).message.split('\n')).toEqual([
      expect.stringContaining('Job parallelism must be larger than 0: spec.job.parallelism is 0'),
      expect.stringContaining('spec.serviceAccount must be defined'),
    ]);
  });

  it('refuses an edit for what it breaks, not for what was broken', async () => {
    const verdict = await update(noAccount, { ...noAccount, ...noParallelism });
    expect(verdict).toMatchObject({ allowed: false, message: expect.stringContaining('spec.job.parallelism is 0') });
    expect((verdict as { message: string }).message).not.toContain('serviceAccount');
  });

  it('lets an edit through that leaves an old problem alone, and warns of it', async () => {
    expect(await update(noAccount, { ...noAccount, 'spec.image': 'flink:1.20.5' })).toEqual({
      allowed: true,
      warnings: [expect.stringMatching(/^not taken up until this is solved: spec.serviceAccount must be defined/)],
    });
  });

  it('lets a repair through, also one of several problems', async () => {
    expect(await update({ ...noAccount, ...noParallelism }, noAccount)).toMatchObject({ allowed: true });
    expect(await update(noAccount, {})).toEqual({ allowed: true });
  });

  it('refuses another wrong value in the place of a wrong one', async () => {
    const verdict = await update({ 'spec.imagePullPolicy': 'Sometimes' }, { 'spec.imagePullPolicy': 'Often' });
    expect(verdict).toMatchObject({ allowed: false, message: expect.stringContaining('"Often"') });
  });

  it('lets everything go that is being deleted: finalizers must come off', async () => {
    const going = { ...noAccount, 'metadata.deletionTimestamp': '2026-01-01T00:00:00Z' };
    expect(await update({}, { ...going, ...noParallelism })).toEqual({ allowed: true });
  });

  it('has no say in subresources and deletions', async () => {
    const bad = edited(deployment, noAccount);
    expect(await asked(bad, { subResource: 'status' })).toEqual({ allowed: true });
    expect(await asked(bad, { operation: 'DELETE' })).toEqual({ allowed: true });
    expect(await asked(undefined, { operation: 'DELETE' })).toEqual({ allowed: true });
  });

  it('has no say in kinds of others', async () => {
    const other = { apiVersion: 'v1', kind: 'FlinkDeployment', metadata: { name: 'x' } };
    expect(await asked(other)).toEqual({ allowed: true });
  });

  it('refuses both redeploy nonces in one edit, with both values', async () => {
    const spec = JSON.stringify({ spec: deployment.spec, resource_metadata: { firstDeployment: false } });
    const status = { reconciliationStatus: { lastReconciledSpec: spec, state: 'DEPLOYED' } };
    const path = { 'spec.job.initialSavepointPath': 's3://b/sp/1', status };
    const both = { ...path, 'spec.job.savepointRedeployNonce': 3, 'spec.job.statelessRedeployNonce': 8 };
    expect(await update({ status }, both)).toMatchObject({
      allowed: false,
      message: expect.stringMatching(/savepointRedeployNonce is 3 .*statelessRedeployNonce is 8/),
    });
    expect(await update({ status }, { ...both, 'spec.job.savepointRedeployNonce': undefined })).toEqual({
      allowed: true,
    });
  });

  it('lists ten problems and counts the rest', async () => {
    const files = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`file-${index}`, '']));
    const { message } = (await asked(edited(deployment, { 'spec.logConfiguration': files }))) as { message: string };
    expect(message.split('\n')).toHaveLength(11);
    expect(message).toMatch(/and 4 further problems$/);
  });
});

describe('the mutating hook', () => {
  const labelled = async (object: KubeObject, more: Partial<AdmissionRequest> = {}): Promise<unknown> => {
    const { mutate } = hooks['/mutate'] as Extract<Hook, { mutate: unknown }>;
    const mutation = await mutate({ ...request(object, more), object: object as AnyObject });
    return mutation.allowed && mutation.object.metadata.labels;
  };

  it('labels a session job with its cluster, and keeps other labels', async () => {
    expect(await labelled(sessionJob)).toEqual({ 'target.session': 'pool' });
    const wrong = edited(sessionJob, { 'metadata.labels': { team: 'a', 'target.session': 'old' } });
    expect(await labelled(wrong)).toEqual({ team: 'a', 'target.session': 'pool' });
  });

  it('leaves everything else as it is', async () => {
    expect(await labelled(deployment)).toBeUndefined();
    expect(await labelled(edited(sessionJob, { 'spec.deploymentName': 'No Label!' }))).toBeUndefined();
    expect(await labelled(edited(sessionJob, { spec: undefined }))).toBeUndefined();
    expect(await labelled(edited(sessionJob, { 'metadata.deletionTimestamp': 'now' }))).toBeUndefined();
    expect(await labelled(sessionJob, { subResource: 'status' })).toBeUndefined();
  });
});
