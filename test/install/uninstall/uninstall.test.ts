import { describe, expect, it } from 'vitest';
import { exitCodes, type UninstallEnd } from '../../../src/cli/uninstall/uninstall.ts';
import { seededRandom } from '../../../src/clock/random.ts';
import { LeaderLease } from '../../../src/control/lease.ts';
import { silent } from '../../../src/control/log.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import { familyNames } from '../../../src/main/families.ts';
import { finalizersOf } from '../../../src/main/uninstall.ts';
import { disturbed, home, operator, ours, UninstallStage } from './uninstall-stage.ts';

const [first] = ours;
if (!first) throw new Error('there are no finalizers');
const one = { namespace: 'default', name: 'one' };

describe('cutover uninstall', () => {
  it('takes our finalizers off every kind, and changes nothing else', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold('default', ['somebody.else/finalizer']);
    await stage.hold('team-b');
    const objects = (): readonly AnyObject[] => ours.flatMap(({ type }) => stage.embedded.world.list(type));
    const bare = ({ metadata, ...rest }: AnyObject): unknown => {
      const { resourceVersion: _version, managedFields: _fields, finalizers = [], ...kept } = metadata;
      return { ...rest, metadata: { ...kept, finalizers: finalizers.filter((name) => name.startsWith('somebody')) } };
    };
    const were = objects().map(bare);
    const { end, said } = await stage.ran();
    expect(end).toBe('done');
    expect(objects().map(bare)).toEqual(were);
    expect(stage.held()).toEqual(ours.map(({ type }) => `${type.kind} default/one somebody.else/finalizer`));
    expect(said.at(-1)).toMatch(
      new RegExp(`^Done: ${2 * ours.length} resources released\\. What they run goes on running`),
    );
    // Nothing is left to do, and the lease is free for whoever comes.
    expect((await stage.ran()).said.at(-1)).toMatch(/^Done: 0 resources/);
  });

  it('lets go what was waiting to be deleted, and says so', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    await stage.person.resource(first.type).delete(one);
    expect(stage.embedded.world.list(first.type)).toHaveLength(1);
    const { said } = await stage.ran();
    expect(said[0]).toBe(`${first.type.kind}: 1 released, of which 1 waited to be deleted`);
    expect(stage.embedded.world.list(first.type)).toEqual([]);
  });

  it('keeps to the families and the namespaces that it is told', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    await stage.hold('team-b');
    const asked: string[] = [];
    const through = disturbed(({ path }) => void asked.push(path));
    expect((await stage.ran({ namespaces: ['team-b'], finalizers: [first], through })).end).toBe('done');
    expect(stage.held()).toHaveLength(2 * ours.length - 1);
    expect(stage.held()).not.toContain(`${first.type.kind} team-b/one ${first.finalizer}`);
    expect(asked.filter((path) => !/\/namespaces\/(team-b|cutover-system)\//.test(path))).toEqual([]);
  });

  it('leaves the kinds alone that are switched off: their finalizers are another operator’s, whatever they are called', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    const off = ['flinkdeployment', 'flinksessionjob'];
    expect((await stage.ran({ finalizers: await finalizersOf(familyNames, off) })).end).toBe('done');
    expect(stage.held()).toEqual([
      'FlinkDeployment default/one flinkdeployments.flink.apache.org/finalizer',
      'FlinkSessionJob default/one flinksessionjobs.flink.apache.org/finalizer',
    ]);
  });

  it.each([
    ['flink', 'FlinkDeployment', 'fabric8-kubernetes-client'],
    ['cloudfoundry', 'CFApp', 'korifi-controllers'],
    ['kudo', 'Instance', 'kudo-manager'],
  ] as const)(
    'leaves alone what another operator of %s keeps, and not what was taken over from it',
    async (family, kind, fieldManager) => {
      await using stage = await UninstallStage.open();
      const finalizers = (await finalizersOf([family])).filter(({ type }) => type.kind === kind);
      const [{ type, finalizer } = first] = finalizers;
      const resource = stage.person.resource<AnyObject>(type);
      const write = async (name: string, by: string): Promise<void> => {
        const found = await resource.get({ namespace: 'default', name });
        await resource.status.update({ ...found, status: { by } }, { fieldManager: by });
        await stage.clock.advance(2_000);
      };
      for (const name of ['theirs', 'annotated', 'taken-over', 'ours']) {
        await stage.store(type, 'default', [finalizer], name);
        if (name !== 'ours') await write(name, fieldManager);
      }
      await write('taken-over', 'cutover');
      const body = { metadata: { annotations: { 'cutover.dev/takeover': 'true' } } };
      await resource.patch({ namespace: 'default', name: 'annotated' }, { type: 'merge', body });

      for (const dryRun of [true, false]) {
        const { end, said } = await stage.ran({ finalizers, dryRun });
        expect(end).toBe('done');
        expect(said.slice(0, 2)).toEqual([
          `${kind}: 3 ${dryRun ? 'would be released' : 'released'}`,
          `${kind}: 1 left to ${fieldManager}, by whom their status is kept`,
        ]);
      }
      expect(stage.held()).toEqual([`${kind} default/theirs ${finalizer}`]);
    },
  );

  it('finds nothing in a cluster that does not know our kinds', async () => {
    await using stage = await UninstallStage.open({ definitions: false });
    const { end, said } = await stage.ran();
    expect(end).toBe('done');
    expect(said.at(-1)).toMatch(/^Done: 0 resources/);
  });

  it('counts with --dry-run, writes nothing, and minds no operator', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    await operator(stage);
    const held = stage.held();
    const wrote: string[] = [];
    const through = disturbed(({ method, path }) => void (method === 'GET' || wrote.push(`${method} ${path}`)));
    const { end, said } = await stage.ran({ dryRun: true, through });
    expect(end).toBe('done');
    expect(said.at(-1)).toBe(`Nothing was changed. ${ours.length} resources would be released.`);
    expect(wrote).toEqual([]);
    expect(stage.held()).toEqual(held);
  });
});

describe('where there is no lease', () => {
  it('refuses, says where it looked and what to do, and changes nothing: an operator may have its lease elsewhere', async () => {
    await using stage = await UninstallStage.open({ led: false });
    await stage.hold();
    const held = stage.held();
    const wrote: string[] = [];
    const through = disturbed(({ method, path }) => void (method === 'GET' || wrote.push(`${method} ${path}`)));
    for (const wait of [false, true]) {
      const { end, said } = await stage.ran({ wait, through });
      expect(exitCodes[end as UninstallEnd]).toBe(2);
      expect(said).toEqual([
        expect.stringMatching(
          /^There is no lease cutover-system\/cutover, so nothing was changed.*--lease-namespace.*--without-lease/,
        ),
      ]);
    }
    expect(wrote).toEqual([]);
    expect(stage.held()).toEqual(held);
  });

  it('goes on when it is told that there is no operator, and keeps those that come from acting meanwhile', async () => {
    await using stage = await UninstallStage.open({ led: false });
    await stage.hold();
    let holder: unknown;
    const through = disturbed(({ method }) => {
      if (method !== 'PATCH') return;
      const leases = stage.embedded.world.list(kinds.leases).filter(({ metadata }) => metadata.name === 'cutover');
      holder = (leases[0]?.spec as { holderIdentity?: string } | undefined)?.holderIdentity;
    });
    expect((await stage.ran({ withoutLease: true, through })).end).toBe('done');
    expect(holder).toBe('uninstall-1');
    expect(stage.held()).toEqual([]);
  });
});

describe('while an operator holds the lease', () => {
  it('refuses when it is alive, and changes nothing', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    const lease = await operator(stage);
    const held = stage.held();
    const { end, said } = await stage.ran();
    expect(end).toBe('alive');
    expect(said[0]).toBe('operator-1 holds the lease cutover-system/cutover. Looking whether that is alive.');
    expect(said.at(-1)).toMatch(/An operator is alive, so nothing was changed.*--wait/);
    expect(stage.held()).toEqual(held);
    expect(lease.held()).toBe(true);
    expect(lease.asked.aborted).toBe(false);
  });

  it('goes on when it gives no sign of life', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    const dead = await operator(stage);
    await dead.leave();
    const { end, said } = await stage.ran();
    expect(end).toBe('done');
    expect(said[1]).toBe('It gave no sign of life: nobody acts.');
    expect(stage.held()).toEqual([]);
  });

  it('asks it to give way with --wait, and keeps others from beginning for a minute', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    const lease = await operator(stage, { polite: true });
    const { end, said } = await stage.ran({ wait: true });
    expect(end).toBe('done');
    expect(said.slice(0, 2)).toEqual([
      'operator-1 holds the lease cutover-system/cutover. Asking for it.',
      'Nobody acts any more.',
    ]);
    expect(lease.held()).toBe(false);
    expect(stage.held()).toEqual([]);

    const { clock, person: client } = stage;
    const place = { namespace: home, name: 'cutover', identity: 'operator-2' };
    const next = new LeaderLease({ client, clock, random: seededRandom(4), log: silent, ...place });
    const taken = next.acquire(new AbortController().signal);
    await clock.advance(55_000);
    expect(next.held()).toBe(false);
    await stage.until('it takes over again', () => next.held());
    expect(await taken).toBe(true);
    await next.release();
  });

  it('gives up in time when it does not give way, and changes nothing', async () => {
    await using stage = await UninstallStage.open();
    await stage.hold();
    const lease = await operator(stage);
    const held = stage.held();
    const { end, said } = await stage.ran({ wait: true, timeoutMs: 60_000 });
    expect(end).toBe('late');
    expect(said.at(-1)).toMatch(/^There was no time left within 60 s/);
    expect(stage.held()).toEqual(held);
    expect(lease.held()).toBe(true);
  });
});
