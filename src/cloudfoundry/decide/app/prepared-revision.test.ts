import { describe, expect, it } from 'vitest';
import { labels } from '../../keys.ts';
import { processGuid } from '../../names.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import { bumpedAtDeployment, bumpedAtStop, returnedTo } from '../../revision.ts';
import { AppWorld, guid, owned, readyOf, running } from './app-world.fixture.ts';

const web = processGuid(guid, 'web');

describe('a revision', () => {
  it('is recorded only when all that it consists of is in place, with its environment', async () => {
    const world = new AppWorld({
      desiredState: 'STARTED',
      currentDropletRef: { name: 'droplet' },
      envSecretName: 'env',
    });
    owned(world, 'env', { B: 'Mg==', A: 'MQ==' });
    world.staged('droplet');
    for (let rounds = 0; rounds < 10; rounds++) {
      const { actions } = await world.decision();
      // One action at a time, as if the process died after each.
      world.act(actions.slice(0, 1));
      if (!world.app.status?.revision) continue;
      expect(world.objects.has(`CFProcess ${web}`)).toBe(true);
      expect(world.objects.has(`Secret ${guid}-vcap-application`)).toBe(true);
      expect(world.objects.has(`Secret ${guid}-vcap-services`)).toBe(true);
    }
    await world.settle();
    expect(world.app.status?.revision).toEqual({
      appRev: '0',
      envSecretName: `${guid}-env-0`,
      droplet: 'droplet',
      envNames: ['A', 'B'],
    });
    expect(world.get('Secret', `${guid}-env-0`)).toMatchObject({
      immutable: true,
      data: { A: 'MQ==', B: 'Mg==' },
      metadata: { labels: { [labels.appGuid]: guid }, ownerReferences: [{ uid: world.app.metadata.uid }] },
    });
  });

  it('never shows its environment in what is decided', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'd' }, envSecretName: 'env' });
    owned(world, 'env', { PASSWORD: Buffer.from('hunter2').toString('base64') });
    world.staged('d');
    world.act((await world.decision()).actions);
    const decision = await world.decision();
    expect(JSON.stringify(decision)).toContain('PASSWORD');
    expect(JSON.stringify([decision, await world.view()])).not.toContain(Buffer.from('hunter2').toString('base64'));
  });

  it('is not touched by a new environment, a route or a new droplet', async () => {
    const world = await running();
    const { revision } = world.app.status ?? {};
    owned(world, 'env', { A: 'MQ==' });
    world.edit({ envSecretName: 'env' });
    world.route('route', 'web1.apps.example', [guid]);
    world.staged('next');
    world.edit({ currentDropletRef: { name: 'next' } });
    await world.settle();
    expect(world.app.status?.revision).toEqual(revision);
    expect(world.deeds.filter((deed) => deed.startsWith('read'))).toEqual([]);
  });

  it('takes the environment of its own start: stop, set-env, start', async () => {
    const world = await running();
    owned(world, 'env', { A: 'MQ==' });
    world.edit({ desiredState: 'STOPPED', envSecretName: 'env' }, bumpedAtStop(world.app));
    world.objects.delete('AppWorkload workload');
    world.processes(0, true);
    await world.settle();
    expect(world.deeds.filter((deed) => deed.startsWith('read'))).toEqual([]);
    owned(world, 'env', { A: 'Mg==', C: 'Mw==' });
    world.edit({ desiredState: 'STARTED' });
    await world.settle();
    expect(world.app.status?.revision).toEqual({
      appRev: '1',
      envSecretName: `${guid}-env-1`,
      droplet: 'droplet',
      envNames: ['A', 'C'],
    });
    expect(world.get('Secret', `${guid}-env-1`)).toMatchObject({ data: { A: 'Mg==', C: 'Mw==' } });
  });

  it('waits for a Secret that is named and not there, says so, and looks again', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'd' }, envSecretName: 'env' });
    world.staged('d');
    const decision = await world.settle();
    expect(decision.wakeAt).toBe(world.now + 10_000);
    expect(readyOf(world)).toMatch(/^False ProcessesNotReady: .*no Secret env.*Create it, or name none/);
    expect(world.app.status?.revision).toBeUndefined();
    owned(world, 'env', {});
    expect((await world.settle()).wakeAt).toBeUndefined();
    expect(world.app.status?.revision?.envNames).toEqual([]);
  });

  it('keeps the environment that was taken first when the process dies before it is recorded', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'd' }, envSecretName: 'env' });
    owned(world, 'env', { A: 'MQ==' });
    world.staged('d');
    while (!world.objects.has(`Secret ${guid}-env-0`)) world.act((await world.decision()).actions.slice(0, 5));
    owned(world, 'env', { A: 'Mg==', B: '' });
    await world.settle();
    expect(world.get('Secret', `${guid}-env-0`)).toMatchObject({ data: { A: 'MQ==' } });
    expect(world.app.status?.revision?.envNames).toEqual(['A']);
  });

  it('is returned to only after its processes have their command again', async () => {
    const world = await running();
    world.staged('next', [{ type: 'web', command: 'other' }]);
    world.edit({ currentDropletRef: { name: 'next' } }, bumpedAtDeployment(world.app));
    await world.settle();
    world.workload('1', { observedAppRev: '0' });
    world.edit({ currentDropletRef: { name: 'droplet' } }, returnedTo(world.app, 0));
    for (let rounds = 0; rounds < 5; rounds++) {
      world.act((await world.decision()).actions.slice(0, 1));
      const { detectedCommand } = world.get<CfProcess>('CFProcess', web).spec;
      if (world.app.status?.revision?.appRev === '0') expect(detectedCommand).toBeUndefined();
    }
    expect(world.app.status?.revision?.appRev).toBe('0');
  });

  it('gets its environment again when somebody deletes it', async () => {
    const world = await running();
    world.objects.delete(`Secret ${guid}-env-0`);
    await world.settle();
    expect(world.objects.has(`Secret ${guid}-env-0`)).toBe(true);
    expect(world.app.status?.revision?.appRev).toBe('0');
  });

  it('says what stands in its way when the server refuses', async () => {
    const world = new AppWorld({ desiredState: 'STARTED', currentDropletRef: { name: 'd' } });
    world.staged('d');
    const failure = { at: 0, since: 0, of: '', message: 'Secret x exists and belongs to somebody else' };
    world.outcomes = { x: { result: 'refused', ...failure } };
    world.act((await world.decision()).actions);
    world.act((await world.decision()).actions.slice(0, 1));
    expect(readyOf(world)).toMatch(/being prepared: Secret x exists and belongs to somebody else/);
  });
});
