import { expect, it } from 'vitest';
import { annotations, labels } from '../../src/cloudfoundry/keys.ts';
import { httpRoutes } from '../../src/cloudfoundry/observe/caches.ts';
import type { Service } from '../../src/cloudfoundry/observe/kube-shapes.ts';
import { cfBuild } from '../../src/cloudfoundry/resources/cf-build.ts';
import { cfDomain } from '../../src/cloudfoundry/resources/cf-domain.ts';
import { type CfRoute, cfRoute } from '../../src/cloudfoundry/resources/cf-route.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../src/kube/object.ts';
import { PlaceStage } from './place-stage.ts';

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';
const namespace = 'dev';

function route(name: string, host: string, spec: object = {}): KubeObject {
  const domainRef = { name: 'default-domain', namespace: 'cf' };
  const destinations = [{ guid: `to-${name}`, appRef: { name: 'web' }, processType: 'web' }];
  return {
    apiVersion,
    kind: 'CFRoute',
    metadata: { name, namespace },
    ...{ spec: { host, protocol: 'http', domainRef, destinations, ...spec } },
  };
}

/** An app that has a droplet which listens on these ports; none of our controllers here looks after it. */
async function app(stage: PlaceStage, ports: readonly number[]): Promise<void> {
  const lifecycle = { type: 'docker' };
  const spec = { displayName: 'web', desiredState: 'STOPPED', lifecycle, currentDropletRef: { name: 'build-1' } };
  await stage.apply({ apiVersion, kind: 'CFApp', metadata: { name: 'web', namespace }, ...{ spec } });
  const refs = { packageRef: { name: 'package-1' }, appRef: { name: 'web' }, lifecycle };
  await stage.apply({ apiVersion, kind: 'CFBuild', metadata: { name: 'build-1', namespace }, ...{ spec: refs } });
  await listensOn(stage, ports);
}

async function listensOn(stage: PlaceStage, ports: readonly number[]): Promise<void> {
  const droplet = { registry: { image: 'web:1' }, stack: '', processTypes: [], ports: [...ports] };
  const body = { status: { state: 'STAGED', droplet } };
  await stage.person.resource(cfBuild.type).status.patch({ namespace, name: 'build-1' }, { type: 'merge', body });
}

async function open(settings = {}): Promise<PlaceStage> {
  const stage = await PlaceStage.open(settings);
  await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  stage.start();
  return stage;
}

async function installGatewayApi(stage: PlaceStage): Promise<void> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: 'httproutes.gateway.networking.k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api' },
    },
    spec: {
      group: httpRoutes.group,
      names: { kind: 'HTTPRoute', plural: 'httproutes', singular: 'httproute', listKind: 'HTTPRouteList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
  await stage.apply(definition);
}

const statusOf = (stage: PlaceStage, name: string) => stage.find<CfRoute>(cfRoute.type, namespace, name)?.status;
const isReady = (stage: PlaceStage, name: string): boolean =>
  stage.ready(cfRoute.type, namespace, name)?.status === 'True';
const service = (stage: PlaceStage, name: string) => stage.find<AnyObject>(kinds.services, namespace, `s-to-${name}`);

it('is ready with a Service alone where nobody routes from outside, and follows the port of the droplet', async () => {
  await using stage = await open();
  await app(stage, [3000]);
  await stage.apply(route('r1', 'Shop'));
  await stage.until('the route is ready', () => isReady(stage, 'r1'));
  expect(statusOf(stage, 'r1')).toMatchObject({
    fqdn: 'shop.apps.example',
    uri: 'shop.apps.example',
    destinations: [{ guid: 'to-r1', port: 3000, protocol: 'http1', processType: 'web', appRef: { name: 'web' } }],
  });
  expect(service(stage, 'r1')).toMatchObject({
    spec: {
      selector: { [labels.appGuid]: 'web', [labels.processType]: 'web' },
      ports: [{ port: 3000, targetPort: 3000, protocol: 'TCP' }],
    },
  });
  expect(stage.find(cfRoute.type, namespace, 'r1')?.metadata.annotations?.[annotations.appGuids]).toBe('web');

  await listensOn(stage, [4000]);
  await stage.until('the port follows', () => statusOf(stage, 'r1')?.destinations?.[0]?.port === 4000);
  expect(service(stage, 'r1')).toMatchObject({ spec: { ports: [{ port: 4000, targetPort: 4000 }] } });
  const before = stage.writes.length;
  await stage.clock.advance(3_600_000);
  expect(stage.writes.slice(before), 'an idle route costs nothing').toEqual([]);
});

it('changes the port of a Service that another controller has made', async () => {
  await using stage = await open();
  await app(stage, [8080]);
  await stage.apply(route('r1', 'shop'));
  await stage.until('the route is ready', () => isReady(stage, 'r1'));
  const name = { namespace, name: 's-to-r1' };
  const ports = [{ port: 9090, protocol: 'TCP', targetPort: 9090 }];
  const taken = { type: 'merge', body: { spec: { ports } } } as const;
  await stage.person.resource(kinds.services).patch(name, taken, { fieldManager: 'manager' });
  const set = (): string => {
    const { spec } = service(stage, 'r1') as Service;
    return String(spec?.ports?.map(({ port }) => port));
  };
  await stage.until('it is set right', () => set() === '8080');
});

it('unmaps without touching the app, and deletes what it has made', async () => {
  await using stage = await open();
  await installGatewayApi(stage);
  await app(stage, []);
  await stage.apply(route('r1', 'shop', { path: '/Cart' }));
  await stage.until('the route is ready', () => isReady(stage, 'r1'));
  expect(stage.find(httpRoutes, namespace, 'r1')).toMatchObject({
    spec: {
      parentRefs: [{ name: 'korifi', namespace: 'korifi-gateway' }],
      hostnames: ['shop.apps.example'],
      rules: [
        {
          matches: [{ path: { type: 'PathPrefix', value: '/Cart' } }],
          backendRefs: [{ kind: 'Service', name: 's-to-r1', port: 8080 }],
        },
      ],
    },
  });
  const unmapped = { type: 'merge', body: { spec: { destinations: null } } } as const;
  await stage.person.resource(cfRoute.type).patch({ namespace, name: 'r1' }, unmapped);
  await stage.until('nothing leads there', () => !stage.find(httpRoutes, namespace, 'r1') && !service(stage, 'r1'));
  await stage.until('it says so', () => statusOf(stage, 'r1')?.destinations === undefined && isReady(stage, 'r1'));
  expect(stage.find(cfRoute.type, namespace, 'r1')?.metadata.labels?.[labels.unmapped]).toBe('true');
  await stage.person.resource(cfRoute.type).delete({ namespace, name: 'r1' });
  await stage.until('it is gone', () => stage.find(cfRoute.type, namespace, 'r1') === undefined);
});

it('uses the Gateway API as soon as it is installed, and gives up its Ingress when a Gateway has taken over', async () => {
  await using stage = await open({ ingressClass: 'nginx' });
  await app(stage, [8080]);
  await stage.apply(route('r1', 'shop'));
  await stage.until('the route is ready', () => isReady(stage, 'r1'));
  expect(stage.find(kinds.ingresses, namespace, 'r1')).toMatchObject({
    spec: { ingressClassName: 'nginx', rules: [{ host: 'shop.apps.example' }] },
  });
  await installGatewayApi(stage);
  await stage.until('there is an HTTPRoute', () => stage.find(httpRoutes, namespace, 'r1') !== undefined, 10 * 60_000);
  await stage.clock.advance(60_000);
  expect(stage.find(kinds.ingresses, namespace, 'r1'), 'nobody has taken over yet').toBeDefined();
  const conditions = [
    { type: 'Accepted', status: 'True', reason: 'Accepted', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
  ];
  const accepted = { type: 'merge', body: { status: { parents: [{ conditions }] } } } as const;
  await stage.person.resource(httpRoutes).status.patch({ namespace, name: 'r1' }, accepted);
  await stage.until(
    'the Ingress is gone',
    () => stage.find(kinds.ingresses, namespace, 'r1') === undefined,
    10 * 60_000,
  );
  expect(isReady(stage, 'r1')).toBe(true);
});

it('says what is wrong with a route, and goes on when it is right', async () => {
  await using stage = await open();
  await app(stage, [8080]);
  await stage.apply(route('first', 'shop'));
  await stage.until('the first is ready', () => isReady(stage, 'first'));
  await stage.clock.advance(2_000);
  await stage.apply(route('second', 'SHOP'));
  await stage.apply(route('tcp', 'tcp', { protocol: 'tcp' }));
  await stage.apply(route('lost', 'lost', { domainRef: { name: 'nowhere', namespace: 'cf' } }));
  await stage.apply(route('odd', 'a_b!'));
  const reason = (name: string) => stage.ready(cfRoute.type, namespace, name)?.reason;
  await stage.until('all say why not', () =>
    ['second', 'tcp', 'lost', 'odd'].every((name) => stage.ready(cfRoute.type, namespace, name)?.status === 'False'),
  );
  expect([reason('second'), reason('tcp'), reason('lost'), reason('odd')]).toEqual([
    'DuplicateRoute',
    'UnsupportedProtocol',
    'InvalidDomainRef',
    'InvalidAddress',
  ]);
  expect(service(stage, 'second')).toBeUndefined();
  await stage.person.resource(cfRoute.type).delete({ namespace, name: 'first' });
  await stage.until('the second has the address', () => isReady(stage, 'second'));
  await stage.apply({
    apiVersion,
    kind: 'CFDomain',
    metadata: { name: 'nowhere', namespace: 'cf' },
    ...{ spec: { name: 'b.example' } },
  });
  await stage.until('the lost one is found', () => isReady(stage, 'lost'));

  await stage.person.resource(cfDomain.type).delete({ namespace: 'cf', name: 'nowhere' });
  await stage.until('the domain is gone, and its routes with it', () => !stage.find(cfDomain.type, 'cf', 'nowhere'));
  expect(stage.find(cfRoute.type, namespace, 'lost')).toBeUndefined();
  expect(isReady(stage, 'second')).toBe(true);
});
