import { describe, expect, it } from 'vitest';
import { childObject } from '../../src/flink/manifests/blue-green-child.ts';
import { blueGreenSpecCodec } from '../../src/flink/resources/blue-green-spec.ts';
import {
  type FlinkBlueGreenDeployment,
  flinkBlueGreenDeployment,
} from '../../src/flink/resources/flink-blue-green-deployment.ts';
import { flinkDeployment } from '../../src/flink/resources/flink-deployment.ts';
import { flinkStateSnapshot } from '../../src/flink/resources/flink-state-snapshot.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { renewLease } from './java-lease.ts';
import { blueGreen, namespace } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.example.com' };
const others = ['flinkdeployment', 'flinksessionjob', 'flinkstatesnapshot'];

/** A status as the Java operator writes it. */
async function java(
  stage: FlinkStage,
  type: ResourceType,
  name: string,
  status: object,
  fieldManager = 'fabric8-kubernetes-client',
): Promise<void> {
  const found = stage.find<AnyObject>(type, name) ?? expect.fail(`there is no ${name}`);
  await stage.person.resource(type).status.update({ ...found, status } as AnyObject, { fieldManager });
  await stage.clock.advance(100);
}

const running = { lifecycleState: 'STABLE', jobStatus: { state: 'RUNNING', jobId: 'a'.repeat(32) } };

describe('beside a Java operator that runs the FlinkDeployments', () => {
  it('a transition needs nothing but what that one writes, though its lease is alive', async () => {
    await using stage = await FlinkStage.open();
    await renewLease(stage, 'operators');
    stage.start({ off: others });
    const orders = await BlueGreenOnStage.applied(stage, blueGreen({ ingress }));
    await stage.until('blue is there', () => orders.side('blue') !== undefined);
    await java(stage, flinkDeployment.type, 'orders-blue', {
      lifecycleState: 'DEPLOYED',
      jobStatus: { state: 'CREATED' },
    });
    expect(orders.status.blueGreenState).toBe('INITIALIZING_BLUE');
    await java(stage, flinkDeployment.type, 'orders-blue', running);
    await orders.active('blue');
    expect(orders.leadsTo()).toBe('orders-blue-rest');

    await orders.release('v2');
    await stage.until('a savepoint is asked for', () => stage.snapshots().length === 1);
    const [snapshot] = stage.snapshots();
    expect(snapshot?.spec).toMatchObject({ jobReference: { kind: 'FlinkDeployment', name: 'orders-blue' } });
    const taken = { state: 'COMPLETED', path: 's3://bucket/savepoint-1', triggerId: 'b'.repeat(32) };
    await java(stage, flinkStateSnapshot.type, snapshot?.metadata.name ?? '', taken);
    await stage.until('green is there', () => orders.side('green') !== undefined);
    expect(orders.side('green')?.spec.job?.initialSavepointPath).toBe('s3://bucket/savepoint-1');
    expect(orders.status.savepointTriggerId).toBe('b'.repeat(32));
    await java(stage, flinkDeployment.type, 'orders-green', running);
    await orders.active('green');
    expect(orders.leadsTo()).toBe('orders-green-rest');
    await orders.sideGone('blue');
    stage.start();
    await stage.clock.advance(60_000);
    expect(stage.condition('orders-green', 'ManagedElsewhere')).toMatchObject({ reason: 'LeaseAlive' });
  });
});

describe('a resource that another operator keeps', () => {
  it('is left alone until it is taken over, and then nothing is restarted', async () => {
    await using stage = await FlinkStage.open();
    stage.start({ off: ['flinkbluegreendeployment'] });
    const orders = await BlueGreenOnStage.applied(stage, blueGreen({ ingress }));
    const resource = stage.blueGreen('orders') as FlinkBlueGreenDeployment;
    const { spec } = resource;
    const child = childObject({ resource, color: 'BLUE', spec, restore: {}, id: 'none' });
    await stage.apply({ ...child, metadata: { ...child.metadata, annotations: {} } });
    await stage.stable('orders-blue');
    const status = {
      blueGreenState: 'ACTIVE_BLUE',
      jobStatus: { state: 'RUNNING' },
      lastReconciledSpec: blueGreenSpecCodec.write(spec),
      lastReconciledTimestamp: '2030-01-01T00:00:00Z',
      abortTimestamp: '1970-01-01T00:00:00Z',
      deploymentReadyTimestamp: '1970-01-01T00:00:00Z',
    };
    await java(stage, flinkBlueGreenDeployment.type, 'orders', status, 'flinkbluegreendeploymentcontroller');

    const bystander = stage.start({ off: others });
    await stage.clock.advance(60_000);
    expect(orders.condition('ManagedElsewhere')).toMatchObject({ status: 'True' });
    expect(bystander.writes.every((write) => /flinkbluegreendeployments/.test(write))).toBe(true);
    expect(stage.find(kinds.ingresses, 'orders')).toBeUndefined();

    await orders.patch({ metadata: { annotations: { 'cutover.dev/takeover': 'true' } } });
    await orders.active('blue');
    await stage.until('traffic is led to blue', () => orders.leadsTo() === 'orders-blue-rest');
    expect(orders.ran).toEqual(['blue v1']);
    expect(orders.condition('ManagedElsewhere')).toBeUndefined();
    await orders.expectQuiet();
    await orders.release('v2');
    await orders.active('green');
    await orders.sideGone('blue');
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
  });
});

describe('an operator that looks only for certain labels', () => {
  const settings = { 'kubernetes.operator.label.selector': 'team=a' };

  it('leaves others alone, and finds sides and savepoints by the labels of the template', async () => {
    await using stage = await FlinkStage.open({ settings });
    stage.start();
    const metadata = { labels: { team: 'a' } };
    const labelled = (name: string, labels: Record<string, string>): FlinkBlueGreenDeployment => {
      const resource = blueGreen({ name, ingress, metadata });
      return { ...resource, metadata: { ...resource.metadata, labels } };
    };
    const foreign = await BlueGreenOnStage.applied(stage, labelled('foreign', { team: 'b' }));
    const orders = await BlueGreenOnStage.serving(stage, labelled('orders', { team: 'a' }));
    await orders.release('v2');
    await orders.active('green');
    expect(orders.counted()).toMatchObject({ lost: [], startedEmpty: 0 });
    expect(foreign.status).toEqual({});
    expect(foreign.side('blue')).toBeUndefined();
  });

  it('refuses a template without them: nobody would ever see the sides', async () => {
    await using stage = await FlinkStage.open({ settings });
    stage.start();
    const resource = blueGreen();
    const labels = { team: 'a' };
    const orders = await BlueGreenOnStage.applied(stage, { ...resource, metadata: { ...resource.metadata, labels } });
    await stage.until('it is refused', () => orders.condition('Stalled')?.reason === 'ValidationError');
    expect(orders.status.error).toMatch(/template\.metadata\.labels/);
    expect(orders.side('blue')).toBeUndefined();
    await orders.patch({ spec: { template: { metadata: { labels } } } });
    await orders.active('blue');
  });
});

describe('where a kind is not installed', () => {
  const lacking = (name: string) => (ours: readonly AnyObject[]) =>
    ours.filter(({ metadata }) => metadata.name !== name);

  it('blue/green deployments do not keep the rest from working', async () => {
    await using stage = await FlinkStage.open({ definitions: lacking('flinkbluegreendeployments.flink.apache.org') });
    stage.start();
    const { spec } = blueGreen();
    await stage.apply({
      apiVersion: 'flink.apache.org/v1beta1',
      kind: 'FlinkDeployment',
      metadata: { name: 'alone', namespace },
      ...{ spec: spec.template?.spec },
    });
    await stage.stable('alone');
  });

  it('a transition that needs a savepoint says so, and one that needs none goes on', async () => {
    await using stage = await FlinkStage.open({ definitions: lacking('flinkstatesnapshots.flink.apache.org') });
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    orders.watchTraffic();
    await orders.release('v2');
    await orders.jobState('FAILING', 60_000);
    expect(orders.status.error).toMatch(/Could not ask for a savepoint of orders-blue: .*flinkstatesnapshots/);
    expect(orders.live).toEqual(['blue']);
    await orders.editJob({ upgradeMode: 'stateless' });
    await orders.active('green');
    expect(orders.gaps).toEqual([]);
  });
});
