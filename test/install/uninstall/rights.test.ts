import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, JsonObject, KubeObject } from '../../../src/kube/object.ts';
import type { FamilyName } from '../../../src/main/families.ts';
import { finalizersOf } from '../../../src/main/uninstall.ts';
import { account } from '../../stage/account.ts';
import { rendered, the } from '../rendered.ts';
import { home, ours, type Running, UninstallStage } from './uninstall-stage.ts';

interface Job extends AnyObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly serviceAccountName: string;
        readonly containers: [{ readonly args: readonly string[] }];
      };
    };
  };
}

/** The roles of an installation in a cluster, and the Job that runs before it is deleted, with what it is told. */
async function installed(
  values: JsonObject,
): Promise<{ stage: UninstallStage; name: string; args: readonly string[] }> {
  const all = rendered(values);
  const stage = await UninstallStage.open({ led: false });
  const roles = all.objects.filter(({ apiVersion }) => apiVersion.startsWith('rbac.authorization.k8s.io/'));
  for (const role of roles) {
    if (role.metadata.namespace === 'cf') continue;
    await stage.apply(role as KubeObject);
  }
  const { serviceAccountName: name, containers } = the<Job>(all, 'Job', 'cutover-uninstall').spec.template.spec;
  return { stage, name, args: containers[0].args };
}

const told = (args: readonly string[], flag: string): readonly string[] =>
  args.filter((arg) => arg.startsWith(`--${flag}=`)).map((arg) => arg.slice(flag.length + 3));

const flink = (await finalizersOf(['flink'])).length;

/** Runs what the Job is told, as the account that it has. */
async function runs(stage: UninstallStage, name: string, args: readonly string[]): Promise<Running> {
  return stage.ran({
    user: account(home, name),
    finalizers: await finalizersOf(told(args, 'family') as readonly FamilyName[]),
    namespaces: told(args, 'watch-namespace'),
    wait: args.includes('--wait'),
    withoutLease: args.includes('--without-lease'),
    timeoutMs: Number(told(args, 'timeout')[0]) * 1000,
  });
}

describe('the Job that runs before a release is deleted', () => {
  it.each<[string, JsonObject, number]>([
    ['Flink alone', {}, ours.length - flink],
    ['all families', { families: { flink: true, cloudfoundry: true, kudo: true } }, 0],
    ['one namespace', { watchNamespaces: ['default'], families: { kudo: true } }, ours.length - flink - 1],
  ])('may do all that it does: %s', async (_, values, others) => {
    const { stage, name, args } = await installed(values);
    await using _stage = stage;
    await stage.hold();
    const { end, said } = await runs(stage, name, args);
    expect(said.join('\n')).not.toMatch(/forbidden|cannot/);
    expect(end).toBe('done');
    expect(stage.held()).toHaveLength(others);
  });

  const two: JsonObject = { watchNamespaces: ['team-b', 'default'] };

  it('has nothing to do in a namespace that is gone, and ends well in the others', async () => {
    const { stage, name, args } = await installed(two);
    await using _stage = stage;
    await stage.hold();
    await stage.person.resource(kinds.namespaces).delete({ name: 'team-b' });
    await stage.until('it is gone', () =>
      stage.embedded.world.list(kinds.namespaces).every((one) => one.metadata.name !== 'team-b'),
    );
    const { end, said } = await runs(stage, name, args);
    expect(said).toContain('Namespace team-b is gone: nothing is held there.');
    expect(end).toBe('done');
    expect(stage.held()).toHaveLength(ours.length - flink);
  });

  it.each<[string, JsonObject, (stage: UninstallStage) => Promise<unknown>]>([
    [
      'a namespace of which nobody may know that it is gone',
      { ...two, webhooks: { enabled: false }, rbac: { clusterScoped: false } },
      (stage) => stage.person.resource(kinds.namespaces).delete({ name: 'team-b' }),
    ],
    [
      'a namespace that lost its Role',
      two,
      (stage) => stage.person.resource(kinds.roles).delete({ namespace: 'team-b', name: 'cutover-watched' }),
    ],
  ])('releases what it can reach, and tells of %s', async (_, values, happens) => {
    const { stage, name, args } = await installed(values);
    await using _stage = stage;
    await stage.hold();
    await happens(stage);
    await stage.clock.advance(60_000);
    const { end, said } = await runs(stage, name, args);
    expect(end).toBe('failed');
    expect(stage.held()).toHaveLength(ours.length - flink);
    expect(said.at(-2)).toMatch(/^Namespace team-b: FlinkDeployment, .* may not be read, .*forbidden/);
    expect(said.at(-1)).toMatch(
      /^\d+ resources released\. Not everything could be looked at in team-b, .* helm uninstall --no-hooks\.$/,
    );
  });

  it('asks the operator to give way, where that has its lease, and ends in time', () => {
    const { containers } = the<Job>(rendered({ uninstall: { timeoutSeconds: 40 } }), 'Job', 'cutover-uninstall').spec
      .template.spec;
    expect(containers[0].args).toEqual([
      'uninstall',
      '--lease-namespace=cutover-system',
      '--wait',
      '--timeout=40',
      '--family=flink',
      '--without-lease',
    ]);
  });

  it('leaves to others what the operator leaves to them', () => {
    const { containers } = the<Job>(rendered({ switchedOff: ['flinkdeployment', 'cfapp'] }), 'Job', 'cutover-uninstall')
      .spec.template.spec;
    expect(told(containers[0].args, 'off')).toEqual(['flinkdeployment', 'cfapp']);
  });

  it.each([['--lease-namespace=elsewhere'], ['--no-leader-elect']])(
    'insists on a lease when the operator may have it elsewhere, or none: %s',
    (arg) => {
      const { containers } = the<Job>(rendered({ extraArgs: [arg] }), 'Job', 'cutover-uninstall').spec.template.spec;
      expect(containers[0].args).not.toContain('--without-lease');
    },
  );
});
