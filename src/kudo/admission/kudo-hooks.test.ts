import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../control/webhooks/admission.ts';
import type { AdmissionRequest } from '../../control/webhooks/admission-review.ts';
import { Client } from '../../kube/client.ts';
import { KubeError } from '../../kube/error.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Request, Response, Transport } from '../../kube/transport.ts';
import type { Parameter } from '../resources/operator-version.ts';
import { kudoHooks } from './kudo-hooks.ts';

const apiVersion = 'kudo.dev/v1beta1';

const parameters: readonly Parameter[] = [
  { name: 'MODE', default: 'plain' },
  { name: 'COUNT', trigger: 'scale', forcePodRestart: false, 'value-type': 'integer', default: '1' },
];

const version: AnyObject = {
  apiVersion,
  kind: 'OperatorVersion',
  metadata: { name: 'db-1', namespace: 'shop' },
  spec: { parameters, plans: { deploy: {}, scale: {} } },
};

function instance(spec: object, more: object = {}): AnyObject {
  const whole = { operatorVersion: { name: 'db-1' }, ...spec };
  return { apiVersion, kind: 'Instance', metadata: { name: 'db', namespace: 'shop' }, spec: whole, ...more };
}

const accepted = { operatorVersion: { name: 'db-1' }, parameters: {} };
const settled = { status: { accepted, planStatus: {} } };
const deploying = {
  status: { accepted, execution: { uid: 'u-1', plan: 'deploy', cause: 'install', forced: true, startedAt: '' } },
};

interface World {
  /** What the watch has shown. */
  readonly seen?: readonly AnyObject[];
  /** What the server answers about any OperatorVersion. */
  readonly server?: AnyObject | number | 'silent';
}

function hookOf({ seen = [version], server = 404 }: World = {}, path = '/admit-kudo-dev-v1beta1-instance') {
  const asked: string[] = [];
  const transport: Transport = {
    async request(request: Request): Promise<Response> {
      asked.push(request.path);
      if (server === 'silent') throw new KubeError('unreachable', 'no route to host');
      const status = typeof server === 'number' ? server : 200;
      const body = status === 200 ? server : { kind: 'Status', status: 'Failure', code: status };
      return { status, headers: { 'content-type': 'application/json' }, body: chunks(JSON.stringify(body)) };
    },
    connect: () => Promise.reject(new Error('not here')),
    close: async () => undefined,
  };
  const client = new Client(transport);
  const caches = () => ({
    peek: (_: unknown, { name }: { name: string }) => seen.find((one) => one.metadata.name === name),
  });
  const hook = kudoHooks({ client, caches })[path];
  if (!hook || !('validate' in hook)) throw new Error(`no validating hook at ${path}`);
  return {
    asked,
    judge: async (request: Partial<AdmissionRequest>): Promise<Verdict> => hook.validate(reviewed(request)),
  };
}

async function* chunks(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text);
}

function reviewed(request: Partial<AdmissionRequest>): AdmissionRequest {
  return {
    uid: 'r',
    operation: request.oldObject ? 'UPDATE' : 'CREATE',
    kind: { group: 'kudo.dev', version: 'v1beta1', kind: 'Instance' },
    namespace: 'shop',
    user: 'jane',
    dryRun: false,
    ...request,
  };
}

const write = (object: AnyObject, oldObject?: AnyObject, world?: World): Promise<Verdict> =>
  hookOf(world).judge({ object, ...(oldObject && { oldObject }) });

const told = (...warnings: readonly string[]) => ({ allowed: true, warnings });

describe('the webhook for Instances', () => {
  it('tells which plan a new one will run, and refuses what cannot be', async () => {
    expect(await write(instance({}))).toEqual(told('plan deploy will run'));
    expect(await write(instance({ parameters: { COUNT: 'x' } }))).toMatchObject({
      allowed: false,
      code: 403,
      message: expect.stringContaining(
        'failed to create an Instance shop/db: parameters are not valid: parameter "COUNT"',
      ),
    });
  });

  it('takes the namespace from the request', async () => {
    const object = { ...instance({}), metadata: { generateName: 'db-' } };
    expect(await write(object)).toEqual(told('plan deploy will run'));
  });

  it.each<[object, string]>([
    [{ parameters: { MODE: 'a' } }, 'plan deploy will run; pods restart because MODE changed'],
    [{ parameters: { COUNT: '2' } }, 'plan scale will run; pods restart only if their template changes'],
    [{ planExecution: { planName: 'scale' } }, 'plan scale will run; pods restart because it is a trigger'],
    [
      { planExecution: { planName: 'scale', restart: false } },
      'plan scale will run; pods restart only if their template changes',
    ],
  ])('tells of %j whether pods restart', async (spec, warning) => {
    expect(await write(instance(spec), instance({}, settled))).toEqual(told(warning));
  });

  it('tells which pods restart when only some do', async () => {
    const careful = { ...version, spec: { ...(version.spec as object), restartPolicy: 'onDependencyChange' } };
    expect(await write(instance({ parameters: { MODE: 'a' } }), instance({}, settled), { seen: [careful] })).toEqual(
      told('plan deploy will run; pods whose ConfigMaps or Secrets change restart because MODE changed'),
    );
  });

  it('lets a change wait for the plan that runs, and a blank cancel it', async () => {
    const old = instance({ planExecution: { planName: 'deploy', uid: 'u-1' } }, deploying);
    const shown = { planExecution: { planName: 'deploy', uid: 'u-1' } };
    expect(await write(instance({ ...shown, parameters: { COUNT: '2' } }), old)).toMatchObject({
      allowed: true,
      warnings: [expect.stringContaining("plan 'scale' waits until plan 'deploy' has ended")],
    });
    expect(await write(instance({ planExecution: { planName: 'scale', uid: 'u-1' } }), old)).toMatchObject({
      warnings: [expect.stringContaining("plan 'scale' waits")],
    });
    expect(await write(instance({ planExecution: { planName: 'deploy', uid: 'u-2' } }), old)).toMatchObject({
      warnings: [expect.stringContaining('plan deploy will run instead of the one that runs now')],
    });
    expect(await write(instance({ planExecution: {} }), old)).toEqual(
      told('the plan that runs will be cancelled: what it has done so far stays'),
    );
  });

  it('has nothing to say of what the controller writes itself', async () => {
    const shown = { planExecution: { planName: 'deploy', uid: 'u-1', status: 'IN_PROGRESS' } };
    expect(await write(instance(shown), instance({}, deploying))).toEqual({ allowed: true });
    expect(await write(instance({ planExecution: {} }), instance(shown, settled))).toEqual({ allowed: true });
    const finalizers = { metadata: { name: 'db', namespace: 'shop', finalizers: [] } };
    expect(await write(instance({}, finalizers), instance({}, settled), { seen: [], server: 'silent' })).toEqual({
      allowed: true,
    });
  });

  it('goes by the spec of an Instance that KUDO has looked after so far', async () => {
    const old = instance({ parameters: { MODE: 'a' } }, { status: { planStatus: { deploy: { status: 'COMPLETE' } } } });
    expect(await write(instance({ parameters: { MODE: 'b' } }), old)).toEqual(
      told('plan deploy will run; pods restart because MODE changed'),
    );
  });

  it('goes by what was accepted, and not by an edit that still waits', async () => {
    const old = instance({ parameters: { MODE: 'waits' } }, settled);
    expect(await write(instance({ parameters: {} }), old)).toEqual({ allowed: true });
  });

  it('refuses what an edit brings, and lets an edit pass that leaves an old problem as it is', async () => {
    const old = instance({ parameters: { COUNT: 'x' } }, settled);
    expect(await write(instance({ parameters: { COUNT: 'x', MODE: 'a' } }), old)).toMatchObject({
      allowed: true,
      warnings: [expect.stringMatching(/^not taken up until this is solved: failed to validate/)],
    });
    expect(await write(instance({ parameters: { COUNT: 'y' } }), old)).toMatchObject({ allowed: false });
  });

  it('asks the server for a version that the watch has not shown yet', async () => {
    const { asked, judge } = hookOf({ seen: [], server: version });
    expect(await judge({ object: instance({}) })).toEqual(told('plan deploy will run'));
    expect(asked).toEqual(['/apis/kudo.dev/v1beta1/namespaces/shop/operatorversions/db-1']);
  });

  it('refuses an Instance of a version that is not there', async () => {
    expect(await write(instance({}), undefined, { seen: [] })).toMatchObject({
      allowed: false,
      message: expect.stringMatching(/^operatorversions\.kudo\.dev "db-1" not found: /),
    });
  });

  it.each<AnyObject | number | 'silent'>(['silent', 500, 403])(
    'refuses nothing when it cannot look (%s)',
    async (server) => {
      const verdict = await write(instance({ parameters: { COUNT: 'x' } }), undefined, { seen: [], server });
      expect(verdict).toMatchObject({ allowed: true, warnings: [expect.stringContaining('not checked')] });
    },
  );

  it('upgrades from a version that cannot be looked up', async () => {
    const old = instance(
      { operatorVersion: { name: 'db-0' } },
      { status: { accepted: { operatorVersion: { name: 'db-0' }, parameters: {} } } },
    );
    expect(await write(instance({}), old, { server: 'silent' })).toEqual(
      told('plan deploy will run; pods restart because it is an upgrade'),
    );
  });

  it('refuses changes of what is being deleted, and nothing else of it', async () => {
    const metadata = { name: 'db', namespace: 'shop', deletionTimestamp: '2026-01-01T00:00:00Z' };
    const old = instance({}, { ...settled, metadata });
    expect(await write(instance({ parameters: { MODE: 'a' } }, { metadata }), old)).toMatchObject({ allowed: false });
    expect(await write(instance({}, { metadata: { ...metadata, labels: { a: 'b' } } }), old)).toEqual({
      allowed: true,
    });
  });

  it('lets subresources, deletions and what is no Instance pass', async () => {
    const { judge } = hookOf();
    const object = instance({ parameters: { COUNT: 'x' } });
    expect(await judge({ object, subResource: 'status' })).toEqual({ allowed: true });
    expect(await judge({ operation: 'DELETE', oldObject: object })).toEqual({ allowed: true });
    expect(await judge({ object: { apiVersion, kind: 'Instance', metadata: {} } })).toEqual({ allowed: true });
    expect(await judge({ object: { apiVersion, kind: 'Instance', metadata: {}, spec: 'text' } })).toEqual({
      allowed: true,
    });
  });
});

describe('the webhook for OperatorVersions', () => {
  const warningsOf = async (spec: unknown) => {
    const { judge } = hookOf({}, '/admit-kudo-dev-v1beta1-operatorversion');
    return judge({ object: { ...version, spec } });
  };

  it('tells what is not there, and lets it pass', async () => {
    const steps = [{ name: 's', tasks: ['make', 'ghost'] }];
    const plans = { update: { phases: [{ name: 'p', steps }] } };
    const spec = { plans, tasks: [{ name: 'make', kind: 'Dummy' }], parameters: [{ name: 'P', trigger: 'nosuch' }] };
    expect(await warningsOf(spec)).toEqual(
      told(
        'there is no plan deploy: no Instance can be created',
        'plan update, phase p, step s: there is no task ghost',
        'parameter P: there is no plan nosuch; changes of it will be refused',
      ),
    );
  });

  it('has nothing to say of a good one', async () => {
    expect(await warningsOf(version.spec)).toEqual(told());
  });

  it('lists a few, and counts the rest', async () => {
    const bad = Array.from({ length: 15 }, (_, index) => ({ name: `P${index}`, trigger: 'nosuch' }));
    const verdict = (await warningsOf({ plans: { deploy: {} }, parameters: bad })) as { warnings: readonly string[] };
    expect(verdict.warnings).toHaveLength(11);
    expect(verdict.warnings.at(-1)).toBe('and 5 more');
  });

  it.each([
    undefined,
    null,
    7,
    { plans: 'x', tasks: {}, parameters: 'x' },
    { plans: { deploy: { phases: [null] } }, parameters: [null] },
  ])('answers for any JSON in the place of a spec: %j', async (spec) => {
    expect(await warningsOf(spec)).toMatchObject({ allowed: true });
  });
});
