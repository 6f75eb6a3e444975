import type { Cached, Caches } from '../../control/caches.ts';
import { kinds } from '../../kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { qualifiedName, type ResourceType } from '../../kube/resource-type.ts';
import { type CfRoute, cfRoute } from '../resources/cf-route.ts';
import { addressKey } from '../route-address.ts';
import type { CloudFoundrySettings } from '../settings.ts';
import { appsOfRoute, type CloudFoundryCaches, domainOf, httpRoutes, openCloudFoundryCaches } from './caches.ts';
import type { Condition } from './kube-shapes.ts';

const ingressClasses: ResourceType = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  plural: 'ingressclasses',
  namespaced: false,
};

/** As much of a CustomResourceDefinition as says whether its objects can be made. */
export interface Definition extends KubeObject {
  readonly spec?: { readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[] };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** What routes look at. */
export interface RouteCaches
  extends Pick<CloudFoundryCaches, 'domains' | 'apps' | 'builds' | 'services' | 'ingresses' | 'httpRoutes'> {
  /** `address`: those that want the same address. */
  readonly routes: Cached<CfRoute, 'app' | 'domain' | 'address'>;
  /** The definition of HTTPRoute: it tells that a Gateway API is installed, also one that was installed later. */
  readonly gatewayApi: Cached<Definition>;
  readonly ingressClasses: Cached;
}

export function openRouteCaches(caches: Caches, settings: CloudFoundrySettings): RouteCaches {
  const { domains, apps, builds, services, ingresses, httpRoutes: made } = openCloudFoundryCaches(caches, settings);
  return {
    domains,
    apps,
    builds,
    services,
    ingresses,
    httpRoutes: made,
    routes: caches.open<CfRoute, 'app' | 'domain' | 'address'>({
      type: cfRoute.type,
      managedFields: true,
      indexes: { app: appsOfRoute, domain: domainOf, address: addressOf },
    }),
    gatewayApi: caches.open<Definition>({
      type: kinds.customResourceDefinitions,
      fieldSelector: { 'metadata.name': qualifiedName(httpRoutes) },
      keep: withoutSchema,
      optional: true,
    }),
    ingressClasses: caches.open({ type: ingressClasses, metadataOnly: true, optional: true }),
  };
}

function addressOf(route: CfRoute): readonly string[] {
  return [addressKey(route)];
}

function withoutSchema(definition: AnyObject): object {
  const { spec, status } = definition as Definition;
  const versions = spec?.versions?.map(({ name, served }) => ({ name, served }));
  return { spec: { versions }, status: { conditions: status?.conditions } };
}
