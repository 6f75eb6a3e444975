import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/clock/random.ts';
import type { Client } from '../../src/kube/client.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { ClusterStage } from './cluster-stage.ts';
import { openCluster } from './open-cluster.ts';
import type { OperatorProcess } from './operator-process.ts';

/** An operator without controllers: the test does with its client what they would. */
class BareStage extends ClusterStage {
  static async open(): Promise<BareStage> {
    return new BareStage(await openCluster({ seed: 1, nodes: { count: 0 } }), { patienceMs: 1_000 });
  }

  start(): { readonly process: OperatorProcess; readonly client: Client } {
    const clients: Client[] = [];
    const controllers = ({ client }: { readonly client: Client }) => {
      clients.push(client);
      return {};
    };
    const process = this.operate({ random: seededRandom(1), instance: 'operator-0', controllers });
    return { process, client: clients[0] ?? expect.fail('it was given no client') };
  }

  says(message: string): void {
    this.listening.child({}).error({ error: new Error('why') }, message);
  }

  has(name: string): boolean {
    return this.embedded.world.get(kinds.configMaps, 'default', name) !== undefined;
  }
}

const note = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
});

describe('a stage', () => {
  it('tells what was there when something never comes true', async () => {
    await using stage = await BareStage.open();
    const pod = { ...note('lonely'), kind: 'Pod', spec: { containers: [{ name: 'main', image: 'app:1' }] } };
    await stage.apply(pod);
    await expect(stage.until('pigs fly', () => false)).rejects.toThrow(/never came true: pigs fly\n.*"lonely"/s);
  });

  it('refuses a kind that is not served', async () => {
    await using stage = await BareStage.open();
    await expect(stage.apply({ ...note('a'), apiVersion: 'apps/v1' })).rejects.toThrow('no kind ConfigMap of apps/v1');
  });

  it('fails in the end when something was called a bug, and not for other errors', async () => {
    const stage = await BareStage.open();
    stage.says('cannot reach the server');
    expect(stage.bugs).toEqual([]);
    stage.says('a bug: decided twice');
    await expect(stage[Symbol.asyncDispose]()).rejects.toThrow();
    expect(stage.bugs[0]).toMatch(/^a bug: decided twice: Error: why/);
  });
});

describe('a process', () => {
  it('dies of its n-th write: that one is done, it never learns of it, and nothing follows', async () => {
    await using stage = await BareStage.open();
    const { process, client } = stage.start();
    const notes = client.resource<KubeObject>(kinds.configMaps);
    process.dieAt(2);
    await notes.create(note('first'));
    expect(process.dead).toBe(false);
    await expect(notes.create(note('second'))).rejects.toThrow('the process has died');
    expect(process.dead).toBe(true);
    await expect(notes.create(note('third'))).rejects.toThrow('the process has died');
    expect(['first', 'second', 'third'].map((name) => stage.has(name))).toEqual([true, true, false]);
    const path = 'POST /api/v1/namespaces/default/configmaps';
    expect(process.writes).toEqual([path, path]);
    expect(stage.writes).toEqual(process.writes);
    await stage.until('nothing of it runs', () => process.isGone);
  });

  it('that is killed while it waits for an answer does not get it', async () => {
    await using stage = await BareStage.open();
    const { process, client } = stage.start();
    const sent = client.resource<KubeObject>(kinds.configMaps).create(note('late'));
    const failed = expect(sent).rejects.toThrow('the process has died');
    process.kill();
    await failed;
    expect(await process.stop()).toBe('stopped');
  });

  it('ends in good order when it is asked to', async () => {
    await using stage = await BareStage.open();
    const { process } = stage.start();
    expect(process.isGone).toBe(false);
    expect(await process.stop()).toBe('stopped');
    expect([process.isGone, process.dead]).toEqual([true, false]);
  });
});
