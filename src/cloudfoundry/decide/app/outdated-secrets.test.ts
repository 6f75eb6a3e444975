import { describe, expect, it } from 'vitest';
import { markText } from '../../deployment-mark.ts';
import { annotations, labels } from '../../keys.ts';
import { bumpedAtDeployment, returnedTo } from '../../revision.ts';
import { type AppWorld, guid, running } from './app-world.fixture.ts';

describe('environments of earlier revisions', () => {
  const revisions = (world: AppWorld): string[] =>
    world
      .all('Secret')
      .flatMap(({ metadata }) => metadata.name?.match(/-env-(\d+)$/)?.[1] ?? [])
      .sort();

  async function deployed(previous: boolean): Promise<AppWorld> {
    const world = await running();
    const mark = { guid: 'deployment', appRev: 1, ...(previous && { previous: { appRev: 0, droplet: 'droplet' } }) };
    world.edit({}, { ...bumpedAtDeployment(world.app), [annotations.deployment]: markText(mark) });
    await world.settle();
    return world;
  }

  it('stay while the roll is under way, and while a cancel may return to them', async () => {
    const world = await deployed(true);
    world.deployment('deployment', 'ACTIVE');
    world.workload('1', { observedAppRev: '0' });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
    world.workload('1', { observedAppRev: '1' });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
    world.deployment('deployment', 'FINALIZED');
    await world.settle();
    expect(revisions(world)).toEqual(['1']);
  });

  it('stay while an instance of before may start again, also when nobody recorded a deployment', async () => {
    const world = await running();
    world.edit({}, bumpedAtDeployment(world.app));
    await world.settle();
    world.workload('1', { observedAppRev: '0' });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
    world.workload('1', { observedAppRev: '1' });
    await world.settle();
    expect(revisions(world)).toEqual(['1']);
  });

  it('stay while a deployment has not been seen yet', async () => {
    const world = await deployed(true);
    world.workload('1', { observedAppRev: '1' });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
  });

  it('stay while a workload keeps them', async () => {
    const world = await deployed(false);
    world.deployment('deployment', 'FINALIZED');
    const snapshot = { GUID: 'p', version: '0', image: 'i' };
    const kept = { [annotations.keptRevisions]: JSON.stringify({ 0: snapshot }) };
    world.workload('1', { observedAppRev: '1' }, kept);
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
    world.workload('1', { observedAppRev: '1' });
    await world.settle();
    expect(revisions(world)).toEqual(['1']);
  });

  it('are found again by a cancel, and the canceled one goes', async () => {
    const world = await deployed(true);
    world.deployment('deployment', 'ACTIVE');
    world.workload('1', { observedAppRev: '0' });
    await world.settle();
    world.deeds.length = 0;
    world.edit({}, returnedTo(world.app, 0));
    await world.settle();
    expect(world.app.status?.revision?.appRev).toBe('0');
    expect(world.deeds.filter((deed) => deed.startsWith('create'))).toEqual([]);
    world.workload('0', { observedAppRev: '0' });
    world.deployment('deployment', 'FINALIZED');
    await world.settle();
    expect(revisions(world)).toEqual(['0']);
  });

  it('stay while instances of a superseded one may still run, whatever the workload has reached before', async () => {
    const world = await deployed(true);
    world.deployment('deployment', 'FINALIZED');
    world.workload('0', { observedAppRev: '0', conditions: [] });
    world.edit({}, returnedTo(world.app, 0));
    await world.settle();
    expect(revisions(world)).toEqual(['0', '1']);
  });

  it('are never those of somebody else', async () => {
    const world = await running();
    world.secret(`${guid}-env-9`, {});
    world.put({
      ...world.get('Secret', `${guid}-env-9`),
      metadata: { name: `${guid}-env-9`, labels: { [labels.appGuid]: guid } },
    });
    await world.settle();
    expect(revisions(world)).toEqual(['0', '9']);
  });
});
