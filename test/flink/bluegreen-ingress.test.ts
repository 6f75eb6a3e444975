import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/kube/kinds.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import { BlueGreenOnStage } from './blue-green-on-stage.ts';
import { application, blueGreen, namespace } from './manifests.ts';
import { FlinkStage } from './stage.ts';

const ingress = { template: '{{name}}.{{namespace}}.example.com', className: 'nginx' };

const strange = (labels: Record<string, string>): KubeObject & object => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'orders', namespace, labels },
  ...{ spec: { defaultBackend: { service: { name: 'elsewhere', port: { number: 80 } } } } },
});

describe('the ingress of a blue/green deployment', () => {
  it('comes, changes and goes with the spec, without a transition', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen());
    expect(stage.find(kinds.ingresses, 'orders')).toBeUndefined();
    await orders.patch({ spec: { ingress } });
    await stage.until('it is there', () => orders.leadsTo() === 'orders-blue-rest');
    await orders.patch({ spec: { ingress: { className: 'other', annotations: { a: 'b' } } } });
    await stage.until('it is changed', () => stage.find(kinds.ingresses, 'orders')?.metadata.annotations?.a === 'b');
    expect(stage.find(kinds.ingresses, 'orders')?.spec).toMatchObject({ ingressClassName: 'other' });
    await orders.patch({ spec: { ingress: null } });
    await stage.until('it is gone', () => stage.find(kinds.ingresses, 'orders') === undefined);
    expect(orders.ran).toEqual(['blue v1']);
    await orders.expectQuiet();
  });

  it('is made again when somebody removes it, and led back when somebody leads it elsewhere', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    await stage.removeObject(kinds.ingresses, 'orders');
    await stage.until('it is back', () => orders.leadsTo() === 'orders-blue-rest');
    const path = '/spec/rules/0/http/paths/0/backend/service/name';
    const body = [{ op: 'replace', path, value: 'elsewhere' }];
    await stage.person.resource(kinds.ingresses).patch({ namespace, name: 'orders' }, { type: 'json', body });
    await stage.until('it leads to blue', () => orders.leadsTo() === 'orders-blue-rest');
  });

  it('is left alone where ingresses are not managed, whatever becomes of them', async () => {
    await using stage = await FlinkStage.open({ settings: { 'kubernetes.operator.ingress.manage': 'false' } });
    stage.start();
    await stage.person.resource<KubeObject>(kinds.ingresses).create(strange({ component: 'ingress' }));
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    await orders.release('v2');
    await orders.active('green');
    expect(stage.find(kinds.ingresses, 'orders')?.spec).toMatchObject({ defaultBackend: expect.anything() });
    expect(stage.writes.filter((write) => write.includes('ingresses'))).toEqual([]);
  });

  it.each([
    ['seen', { component: 'ingress' }],
    ['hidden from the caches', { other: 'label' }],
  ])('that belongs to somebody else, %s, is waited for visibly and never taken', async (_, labels) => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.person.resource<KubeObject>(kinds.ingresses).create(strange(labels as Record<string, string>));
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    await stage.until('it is told', () => orders.condition('IngressBlocked')?.status === 'True');
    await orders.release('v2');
    await orders.active('green');
    expect(stage.find(kinds.ingresses, 'orders')?.spec).toMatchObject({ defaultBackend: expect.anything() });
    expect((await stage.events('orders', 'NameTaken')).length).toBeGreaterThan(0);
    await stage.removeObject(kinds.ingresses, 'orders');
    await stage.until('it is ours', () => orders.leadsTo() === 'orders-green-rest');
    await stage.until('it is told no longer', () => orders.condition('IngressBlocked') === undefined);
    await orders.expectQuiet();
  });

  it('of a FlinkDeployment with the same name is waited for: the three edits of a migration', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    await stage.running(application({ spec: { ingress } }));
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress }));
    expect(orders.condition('IngressBlocked')).toMatchObject({ status: 'True' });
    expect(orders.leadsTo()).toBe('orders-rest');
    await stage.remove('orders');
    await stage.gone('orders');
    await stage.until('traffic goes to blue', () => orders.leadsTo() === 'orders-blue-rest');
  });

  it('has an address of its own for each side, where the template of the sides asks for one', async () => {
    await using stage = await FlinkStage.open();
    stage.start();
    const orders = await BlueGreenOnStage.serving(stage, blueGreen({ ingress, spec: { ingress } }));
    await orders.release('v2');
    await orders.state('TRANSITIONING_TO_GREEN');
    await stage.until('green has one', () => orders.leadsTo('orders-green') === 'orders-green-rest');
    const hostOf = (name: string) => {
      const spec = stage.find(kinds.ingresses, name)?.spec as { rules: { host: string }[] } | undefined;
      return spec?.rules[0]?.host;
    };
    expect(hostOf('orders')).toBe('orders.default.example.com');
    expect(hostOf('orders-green')).toBe('green-orders-green.default.example.com');
    await orders.active('green');
  });
});
