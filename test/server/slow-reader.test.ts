import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import { boat } from './boat.ts';
import { DeskStage } from './desk-stage.ts';

describe('a stream', () => {
  it('tells a burst of changes of one workload once', async () => {
    await using stage = await DeskStage.open();
    await stage.launch(boat('default', 'erik'));
    await stage.pass(1_000);
    const reader = stage.watch();
    await stage.pass(0);
    expect(reader.heard()).toEqual(['retry: 2000', 'fleet']);
    for (const shelf of ['a', 'b']) await stage.change('erik', { metadata: { labels: { shelf } } });
    await stage.pass(10);
    expect(reader.heard()).toEqual([]);
    await stage.change('erik', { spec: { speed: 5 } });
    await stage.pass(0);
    expect(reader.heard()).toEqual(['changed']);
  });

  it('keeps nothing for a reader who does not read but which ones changed, and tells their newest state', async () => {
    await using stage = await DeskStage.open();
    for (const name of ['erik', 'odin']) await stage.launch(boat('default', name));
    await stage.pass(1_000);
    const reader = stage.watch();
    await stage.pass(0);
    reader.heard();
    reader.full = true;
    for (let speed = 10; speed < 40; speed++) {
      await stage.change('erik', { spec: { speed } });
      await stage.pass(1);
    }
    await stage.change('odin', { spec: { speed: 3 } });
    await stage.pass(1);
    reader.drain();
    await stage.pass(0);
    expect(reader.chunks).toHaveLength(2);
    expect(reader.chunks[0]).toContain('sails at 39');
    expect(reader.heard()).toEqual(['changed', 'changed']);
  });

  it('tells the whole fleet anew to a reader who is too far behind', async () => {
    await using stage = await DeskStage.open();
    const reader = stage.watch();
    await stage.pass(1_000);
    reader.heard();
    reader.full = true;
    for (let at = 0; at < 300; at++) await stage.launch(boat('default', `boat-${at}`));
    await stage.pass(100);
    reader.drain();
    await stage.pass(0);
    expect(reader.chunks).toHaveLength(1);
    expect(reader.chunks[0]).toMatch(/^event: fleet\n.*boat-299/s);
  });

  it('beats every 15 s, and is cut off when nothing is taken for a minute', async () => {
    await using stage = await DeskStage.open();
    const reader = stage.watch();
    await stage.pass(1_000);
    reader.heard();
    await stage.pass(30_000);
    expect(reader.heard()).toEqual([':', ':']);
    reader.full = true;
    await stage.pass(45_000);
    expect(reader.closed.aborted).toBe(false);
    await stage.pass(15_000);
    expect(reader.closed.aborted).toBe(true);
    expect(stage.streams.size).toBe(0);
  });
});

describe('rights that change', () => {
  it('show in the fleet after five minutes, when something happens', async () => {
    await using stage = await DeskStage.open();
    await stage.launch(boat('default', 'erik'));
    await stage.pass(1_000);
    const reader = stage.watch(undefined, { name: 'ann', groups: [] });
    await stage.pass(0);
    expect(reader.chunks[1]).toBe('event: fleet\ndata: []\n\n');
    const metadata = { name: 'ann', namespace: 'default' };
    const [apiVersion, apiGroup] = ['rbac.authorization.k8s.io/v1', 'rbac.authorization.k8s.io'];
    const rules = [{ apiGroups: ['*'], resources: ['boats'], verbs: ['list'] }];
    await stage.person.resource(kinds.roles).create({ apiVersion, kind: 'Role', metadata, rules });
    const subjects = [{ kind: 'User', name: 'ann', apiGroup }];
    const roleRef = { kind: 'Role', name: 'ann', apiGroup };
    const bindings = stage.person.resource(kinds.roleBindings);
    await bindings.create({ apiVersion, kind: 'RoleBinding', metadata, subjects, roleRef });
    reader.heard();
    await stage.change('erik', { spec: { speed: 2 } });
    await stage.pass(0);
    expect(reader.heard()).toEqual([]);
    await stage.pass(300_000);
    reader.heard();
    await stage.change('erik', { spec: { speed: 3 } });
    await stage.pass(0);
    expect(reader.chunks).toEqual([expect.stringMatching(/^event: fleet\ndata: \[\{.*sails at 3/)]);
    await bindings.delete({ namespace: 'default', name: 'ann' });
    await stage.pass(300_000);
    reader.heard();
    await stage.change('erik', { spec: { speed: 4 } });
    await stage.pass(0);
    expect(reader.chunks).toEqual(['event: fleet\ndata: []\n\n']);
  });
});

describe('the page of a stream', () => {
  it('comes at most every 100 ms, with the newest state last, and not when nothing shows', async () => {
    await using stage = await DeskStage.open();
    await stage.launch(boat('default', 'erik'));
    await stage.pass(1_000);
    const reader = stage.watch('Boat/default/erik');
    await stage.pass(200);
    expect(reader.heard()).toEqual(['retry: 2000', 'fleet', 'page']);
    for (let at = 0; at < 50; at++) {
      await stage.tell('erik', `step ${at}`);
      await stage.pass(5);
    }
    await stage.pass(100);
    expect(reader.chunks.at(-1)).toContain('step 49');
    expect(reader.heard().length).toBeLessThanOrEqual(5);
    await stage.change('erik', { metadata: { labels: { quiet: 'yes' } } });
    await stage.pass(200);
    expect(reader.heard()).toEqual([]);
  });
});
