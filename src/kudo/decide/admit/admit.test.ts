import { describe, expect, it } from 'vitest';
import type { OperatorVersion, Parameter } from '../../resources/operator-version.ts';
import { admit } from './admit.ts';
import type { AdmitView, Running, Verdict } from './view.ts';

const name = { namespace: 'shop', name: 'db' };

function version(
  parameters: readonly Parameter[] = declared,
  { plans = ['deploy', 'scale', 'backup', 'cleanup'], as = 'db-1' }: { plans?: readonly string[]; as?: string } = {},
): OperatorVersion {
  return {
    apiVersion: 'kudo.dev/v1beta1',
    kind: 'OperatorVersion',
    metadata: { name: as },
    spec: { parameters, plans: Object.fromEntries(plans.map((plan) => [plan, {}])) },
  };
}

const declared: readonly Parameter[] = [
  { name: 'MODE', default: 'plain' },
  { name: 'COUNT', trigger: 'scale', forcePodRestart: false, 'value-type': 'integer', default: '1' },
  { name: 'QUIET', forcePodRestart: false },
  { name: 'KEEP', trigger: 'backup' },
  { name: 'FIXED', immutable: true, default: 'f' },
  { name: 'CHOSEN', immutable: true },
];

const one = { name: 'db-1' };
const two = { name: 'db-2' };
const second = version(declared, { as: 'db-2', plans: ['deploy', 'upgrade', 'scale'] });

type Values = Readonly<Record<string, string>>;

/** An edit of an idle Instance at version db-1. */
function edit(before: Values, after: Values, more: Partial<AdmitView> = {}): Verdict {
  const known = version();
  return admit({
    name,
    before: { operatorVersion: one, parameters: before },
    after: { operatorVersion: one, parameters: after },
    deleting: false,
    versions: { before: known, after: known },
    request: { is: 'none' },
    ...more,
  });
}

/** An upgrade of an idle Instance from db-1 to db-2. */
function upgrade(before: Values, after: Values, more: Partial<AdmitView> = {}): Verdict {
  const versions = { before: version(), after: second };
  return edit(before, after, { after: { operatorVersion: two, parameters: after }, versions, ...more });
}

const running = (plan: string, yields = false): { running: Running } => ({ running: { plan, uid: 'u-1', yields } });
const run = (plan: string, override = false) => ({ request: { is: 'run', plan, override } }) as const;

describe('a new Instance', () => {
  const created = (more: Partial<AdmitView> = {}): Verdict =>
    admit({
      name,
      after: { operatorVersion: one, parameters: { MODE: 'x', NOBODY: 'knows' } },
      deleting: false,
      versions: { after: version() },
      request: { is: 'none' },
      ...more,
    });

  it('is deployed, with the defaults of its immutable parameters and whatever else was written', () => {
    expect(created()).toEqual({
      is: 'start',
      plan: 'deploy',
      cause: 'install',
      changed: [],
      forced: true,
      accepted: { operatorVersion: one, parameters: { MODE: 'x', NOBODY: 'knows', FIXED: 'f' } },
    });
  });

  it('is deployed quietly when it says so, and whatever plan it asks for', () => {
    expect(created({ restart: false, ...run('scale') })).toMatchObject({ plan: 'deploy', forced: false });
  });

  it('is refused without a plan deploy, before its values are looked at', () => {
    const versions = { after: version([{ name: 'P', required: true }], { plans: ['update'] }) };
    expect(created({ versions })).toMatchObject({ is: 'refused', reason: 'NoDeployPlan' });
  });

  it('is refused without its version, and told where it should be', () => {
    expect(created({ versions: {}, after: { operatorVersion: { name: 'gone', namespace: 'lib' } } })).toEqual({
      is: 'refused',
      reason: 'OperatorVersionNotFound',
      message:
        'operatorversions.kudo.dev "gone" not found: install the package in namespace lib, or name one of its versions in spec.operatorVersion.name',
    });
  });

  it('is refused while its version cannot be read, which is not said to be gone', () => {
    const after = { operatorVersion: { name: 'hidden', namespace: 'lib' } };
    expect(created({ versions: { isBarred: true }, after })).toMatchObject({
      reason: 'OperatorVersionNotReadable',
      message: expect.stringMatching(/^operatorversions.kudo.dev "hidden" cannot be read in namespace lib: /),
    });
  });

  it('that is deleted at once is left alone', () => {
    expect(created({ deleting: true })).toEqual({ is: 'nothing' });
  });
});

describe('changed parameters', () => {
  it('run update, or deploy where there is none, when they trigger nothing', () => {
    expect(edit({}, { MODE: 'a' })).toMatchObject({
      is: 'start',
      plan: 'deploy',
      cause: 'parameters',
      changed: ['MODE'],
    });
    const versions = { after: version(declared, { plans: ['deploy', 'update'] }) };
    expect(edit({}, { MODE: 'a' }, { versions })).toMatchObject({ plan: 'update' });
  });

  it('run what one of them triggers, and only that', () => {
    expect(edit({}, { MODE: 'a', COUNT: '2' })).toMatchObject({
      plan: 'scale',
      changed: ['COUNT', 'MODE'],
      forced: true,
    });
  });

  it('restart pods unless all of them say no', () => {
    expect(edit({}, { COUNT: '2' })).toMatchObject({ forced: false });
    expect(edit({ QUIET: '1', COUNT: '3' }, { COUNT: '2' })).toMatchObject({
      forced: false,
      changed: ['COUNT', 'QUIET'],
    });
    expect(edit({ MODE: 'a' }, {}, { restart: false })).toMatchObject({ forced: true });
  });

  it('are refused when they trigger different plans, which are named', () => {
    expect(edit({}, { KEEP: '1', COUNT: '2' })).toMatchObject({
      reason: 'SeveralPlans',
      message:
        'failed to update Instance shop/db: triggering multiple plans: [[backup scale]] at once is not allowed: change the parameters one after the other (COUNT triggers scale, KEEP triggers backup)',
    });
  });

  it('are refused when there is no plan that they could run', () => {
    const none = version([{ name: 'MODE' }, { name: 'BAD', trigger: 'ghost' }], { plans: ['scale'] });
    expect(edit({}, { MODE: 'a' }, { versions: { after: none } })).toMatchObject({ reason: 'NoPlanToRun' });
    expect(edit({}, { BAD: 'a' }, { versions: { after: none } })).toMatchObject({ reason: 'UndefinedTrigger' });
  });

  it('are nothing when they are written again, also if the version is gone', () => {
    expect(edit({ MODE: 'a' }, { MODE: 'a' }, { versions: {} })).toEqual({ is: 'nothing' });
    expect(edit({ MODE: 'a' }, { MODE: 'b' }, { versions: {} })).toMatchObject({ reason: 'OperatorVersionNotFound' });
  });

  it('are accepted without a plan when what was removed is unknown', () => {
    expect(edit({ NOBODY: 'knows', MODE: 'a' }, {})).toEqual({
      is: 'nothing',
      accepted: { operatorVersion: one, parameters: { FIXED: 'f' } },
    });
  });

  it('do not come to harm by names that every object has', () => {
    expect(edit({}, { constructor: 'x' })).toMatchObject({ reason: 'UnknownParameter' });
    expect(edit({}, {}, run('toString'))).toMatchObject({ reason: 'UnknownPlan' });
  });

  it('are shortened where a message quotes them', () => {
    const verdict = edit({}, { COUNT: 'x'.repeat(100_000) });
    expect(verdict).toMatchObject({ reason: 'InvalidParameters' });
    expect((verdict as { message: string }).message.length).toBeLessThan(1200);
  });
});

describe('a value that nobody should see', () => {
  const secrets: readonly Parameter[] = [
    { name: 'DB_PASSWORD', immutable: true, default: 'hush0' },
    { name: 'LOGIN', immutable: true },
    { name: 'PIN', 'value-type': 'integer' },
    { name: 'API_KEY', enum: ['a', 'b'] },
  ];
  const template = 'kind: Secret\nstringData:\n  login: {{ .Params.LOGIN }}-{{ .Params.PIN }}\n';
  const made = version(secrets);
  const known = { ...made, spec: { ...made.spec, templates: { 'login.yaml': template } } };
  const versions = { versions: { before: known, after: known } };

  it.each<[reason: string, before: Values, after: Values]>([
    ['ImmutableParameter', { DB_PASSWORD: 'hush1' }, { DB_PASSWORD: 'hush2' }],
    ['ImmutableParameter', { LOGIN: 'hush1' }, { LOGIN: 'hush2' }],
    ['ImmutableParameter', { LOGIN: 'hush1' }, {}],
    ['InvalidParameters', {}, { PIN: 'hush' }],
    ['InvalidParameters', {}, { API_KEY: 'hush' }],
  ])('is not told when it is refused: %s, %j to %j', (reason, before, after) => {
    const verdict = edit(before, after, versions);
    expect(verdict).toMatchObject({ is: 'refused', reason });
    expect(JSON.stringify(verdict)).not.toContain('hush');
  });

  it('is not told as the default of what an upgrade adds', () => {
    const verdict = upgrade({}, {}, { versions: { before: version([]), after: known } });
    expect(verdict).toMatchObject({ reason: 'AddedImmutable' });
    expect(JSON.stringify(verdict)).not.toContain('hush');
  });
});

describe('an immutable parameter', () => {
  it('cannot be changed, set or removed', () => {
    const refused = (from: string, to: string) => ({
      reason: 'ImmutableParameter',
      message: `failed to check immutable parameters for Instance shop/db: parameter 'CHOSEN' is immutable but was changed from '${from}' to '${to}': set it back`,
    });
    expect(edit({ CHOSEN: 'a' }, { CHOSEN: 'b' })).toMatchObject(refused('a', 'b'));
    expect(edit({}, { CHOSEN: 'b' })).toMatchObject(refused('', 'b'));
    expect(edit({ CHOSEN: 'a' }, {})).toMatchObject(refused('a', ''));
  });

  it('keeps its default when a spec comes that does not have it', () => {
    expect(edit({ FIXED: 'f' }, {})).toEqual({ is: 'nothing' });
    expect(edit({ FIXED: 'f' }, { MODE: 'a' })).toMatchObject({
      changed: ['MODE'],
      accepted: { parameters: { MODE: 'a', FIXED: 'f' } },
    });
  });

  it('keeps its default also when the next version has another one', () => {
    const later = version([{ name: 'FIXED', immutable: true, default: 'g' }], { as: 'db-2' });
    expect(upgrade({ FIXED: 'f' }, {}, { versions: { before: version(), after: later } })).toMatchObject({
      changed: [],
      accepted: { parameters: { FIXED: 'f' } },
    });
  });

  it('can be changed by an upgrade', () => {
    expect(upgrade({ CHOSEN: 'a' }, { CHOSEN: 'b' })).toMatchObject({ is: 'start', cause: 'upgrade' });
  });

  it('must be given a value when an upgrade makes or adds it', () => {
    const into = (parameter: Parameter): Verdict =>
      upgrade({}, {}, { versions: { before: version(), after: version([parameter], { as: 'db-2' }) } });
    expect(into({ name: 'MODE', immutable: true })).toMatchObject({ reason: 'BecameImmutable' });
    expect(into({ name: 'NEW', immutable: true, default: 'n' })).toMatchObject({
      reason: 'AddedImmutable',
      message: expect.stringContaining(
        "'NEW' was added in operator version db-2, but no value was provided (default would be n): ",
      ),
    });
    expect(into({ name: 'NEW', immutable: true })).toMatchObject({
      message: expect.stringContaining("'NEW' was added in operator version db-2, but no value was provided: "),
    });
  });
});

describe('an upgrade', () => {
  it('runs upgrade, else update, else deploy, and restarts pods unless it says otherwise', () => {
    expect(upgrade({}, {})).toMatchObject({ plan: 'upgrade', cause: 'upgrade', changed: [], forced: true });
    expect(upgrade({}, {}, { restart: false })).toMatchObject({ forced: false });
    expect(upgrade({}, { MODE: 'a' }, { restart: false })).toMatchObject({ forced: true, changed: ['MODE'] });
    for (const plans of [['deploy', 'update'], ['deploy']]) {
      const after = version(declared, { plans, as: 'db-2' });
      expect(upgrade({}, {}, { versions: { after } })).toMatchObject({ plan: plans.at(-1) });
    }
    const after = version(declared, { plans: ['scale'] });
    expect(upgrade({}, {}, { versions: { after } })).toMatchObject({ reason: 'NoUpgradePlan' });
  });

  it('keeps values of parameters that it takes away, so that the spec goes on being what was accepted', () => {
    const after = version([{ name: 'MODE' }], { as: 'db-2' });
    const values = { COUNT: '1', MODE: 'a' };
    expect(upgrade(values, values, { versions: { before: version(), after } })).toMatchObject({
      accepted: { operatorVersion: two, parameters: values },
      changed: [],
    });
  });

  it('takes parameters along that run deploy, and refuses others', () => {
    expect(upgrade({}, { MODE: 'a' })).toMatchObject({ is: 'start', plan: 'upgrade' });
    expect(upgrade({}, { COUNT: '2' })).toMatchObject({
      reason: 'UpgradeWithParameters',
      message:
        "failed to update Instance shop/db: upgrade to new OperatorVersion {  db-2    } together with a parameter update triggering 'scale' is not allowed: upgrade first, then change COUNT",
    });
  });

  it('is refused together with a plan', () => {
    expect(upgrade({}, {}, run('scale'))).toMatchObject({ reason: 'UpgradeWithPlan' });
  });

  it('from a version that is gone is possible', () => {
    expect(upgrade({}, {}, { versions: { after: second } })).toMatchObject({ is: 'start', plan: 'upgrade' });
  });

  it('is none when the same version is only referred to in more words', () => {
    const after = { operatorVersion: { ...one, kind: 'OperatorVersion', namespace: 'shop' }, parameters: {} };
    expect(edit({}, {}, { after })).toEqual({ is: 'nothing' });
    const elsewhere = { operatorVersion: { ...one, namespace: 'lib' }, parameters: {} };
    expect(edit({}, {}, { after: elsewhere })).toMatchObject({
      cause: 'upgrade',
      accepted: { operatorVersion: { ...one, namespace: 'lib' } },
    });
  });
});

describe('a plan that is asked for', () => {
  it('runs, and restarts pods unless it says otherwise', () => {
    expect(edit({}, {}, run('backup'))).toMatchObject({ is: 'start', plan: 'backup', cause: 'trigger', forced: true });
    expect(edit({}, {}, { ...run('backup'), restart: false })).toMatchObject({ forced: false });
  });

  it('is refused beside changed parameters; both plans are named in their places', () => {
    expect(edit({}, { COUNT: '2' }, run('backup'))).toMatchObject({
      reason: 'PlanWithParameters',
      message: expect.stringContaining(
        "triggering one plan 'backup' directly and through parameter update 'scale' is not allowed",
      ),
    });
  });

  it('is refused when it is cleanup, or nobody knows it', () => {
    expect(edit({}, {}, run('cleanup'))).toMatchObject({ reason: 'CleanupByUser' });
    expect(edit({}, {}, run('nosuch'))).toMatchObject({
      message: 'plan nosuch does not exist: the plans are backup, cleanup, deploy, scale',
    });
  });
});

describe('while a plan runs', () => {
  it('the same plan starts over', () => {
    expect(edit({}, { MODE: 'a' }, running('deploy'))).toMatchObject({
      is: 'start',
      plan: 'deploy',
      supersedes: 'u-1',
    });
    expect(edit({}, {}, { ...running('deploy'), ...run('deploy') })).toMatchObject({ is: 'start', supersedes: 'u-1' });
  });

  it('another waits, and says for what', () => {
    expect(edit({}, { COUNT: '2' }, running('deploy'))).toEqual({
      is: 'waits',
      plan: 'scale',
      changed: ['COUNT'],
      message:
        "plan 'scale' waits until plan 'deploy' has ended: cancel that one (plan cancel, or blank spec.planExecution.planName) to run 'scale' at once",
    });
    expect(edit({}, {}, { ...running('deploy'), ...run('backup') })).toMatchObject({ is: 'waits', plan: 'backup' });
  });

  it('another takes its place when it gives way, is overridden, or is cancelled at once', () => {
    const started = { is: 'start', plan: 'scale', supersedes: 'u-1' };
    expect(edit({}, { COUNT: '2' }, running('deploy', true))).toMatchObject(started);
    expect(edit({}, {}, { ...running('deploy'), ...run('scale', true) })).toMatchObject(started);
    expect(edit({}, { COUNT: '2' }, { ...running('deploy'), request: { is: 'cancel' } })).toMatchObject(started);
  });

  it('an upgrade waits, even for a plan of the same name', () => {
    expect(upgrade({}, {}, running('upgrade'))).toMatchObject({ is: 'waits', plan: 'upgrade' });
    expect(upgrade({}, {}, running('upgrade', true))).toMatchObject({ is: 'start', supersedes: 'u-1' });
  });

  it('it can be cancelled, even without its version', () => {
    expect(edit({}, {}, { ...running('deploy'), request: { is: 'cancel' }, versions: {} })).toEqual({ is: 'cancel' });
    expect(edit({}, {}, { request: { is: 'cancel' } })).toEqual({ is: 'nothing' });
    expect(edit({ X: '1' }, {}, { ...running('deploy'), request: { is: 'cancel' } })).toEqual({ is: 'cancel' });
  });
});

describe('while the Instance is deleted', () => {
  const deleting = { deleting: true };

  it('nothing can be changed', () => {
    expect(edit({}, { MODE: 'a' }, deleting)).toMatchObject({ reason: 'ChangedWhileDeleted' });
    expect(upgrade({}, {}, deleting)).toMatchObject({ reason: 'ChangedWhileDeleted' });
  });

  it('no plan can be run, and cleanup is not for anybody else to run', () => {
    expect(edit({}, {}, { ...deleting, ...run('backup') })).toMatchObject({ reason: 'PlanWhileDeleted' });
    expect(edit({}, {}, { ...deleting, ...run('cleanup') })).toEqual({ is: 'nothing' });
  });

  it('cleanup cannot be stopped', () => {
    const cleaning = { ...deleting, ...running('cleanup') };
    expect(edit({}, {}, { ...cleaning, request: { is: 'cancel' } })).toMatchObject({ reason: 'CleanupIsFinal' });
    expect(edit({}, {}, { ...cleaning, ...run('backup') })).toMatchObject({ reason: 'CleanupIsFinal' });
    expect(edit({}, {}, { ...deleting, ...running('deploy'), request: { is: 'cancel' } })).toEqual({ is: 'nothing' });
  });

  it('what changes nothing passes', () => {
    expect(edit({ MODE: 'a' }, { MODE: 'a' }, deleting)).toEqual({ is: 'nothing' });
  });
});

describe('an upgrade from a version that is gone', () => {
  const needs = version([...declared, { name: 'SITE', required: true }], {
    as: 'db-2',
    plans: ['deploy', 'update', 'upgrade'],
  });
  const gone = (after: Values): Verdict =>
    edit({ CHOSEN: 'c', FIXED: 'f', MODE: 'x' }, after, {
      after: { operatorVersion: two, parameters: after },
      versions: { after: needs },
    });

  it('may bring the values that the new version needs', () => {
    const after = { CHOSEN: 'c', FIXED: 'f', MODE: 'x', SITE: 'north' };
    expect(gone(after)).toMatchObject({ is: 'start', plan: 'upgrade', cause: 'upgrade', changed: ['SITE'] });
  });

  it('is still no occasion to change others', () => {
    const after = { CHOSEN: 'c', FIXED: 'f', MODE: 'y', SITE: 'north' };
    expect(gone(after)).toMatchObject({ is: 'refused', reason: 'UpgradeWithParameters' });
  });
});
