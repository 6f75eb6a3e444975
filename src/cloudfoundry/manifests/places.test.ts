import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../kube/object.ts';
import { annotations, labels } from '../keys.ts';
import type { RoleBinding, ServiceAccount } from '../observe/kube-shapes.ts';
import type { CfOrg } from '../resources/cf-org.ts';
import type { CfRoute } from '../resources/cf-route.ts';
import type { CfSpace } from '../resources/cf-space.ts';
import { copiedRoleBinding, copiedSecret, copiedServiceAccount } from './copies.ts';
import { destinationService } from './destination-service.ts';
import { httpRoute } from './http-route.ts';
import { orgNamespaceMetadata, placeNamespace, spaceNamespaceMetadata } from './place-namespace.ts';

/** As recorded from Korifi 0.18.0, without what Kubernetes itself adds; names of organizations and apps replaced. */
const recorded = {
  orgNamespace: {
    annotations: { 'korifi.cloudfoundry.org/org-name': 'org1' },
    labels: {
      'korifi.cloudfoundry.org/org-guid': 'org-guid',
      'korifi.cloudfoundry.org/org-name': '9760040d6560913de6fc8d577ec263abb0905627a0888ce2b68afc39',
      'pod-security.kubernetes.io/audit': 'restricted',
      'pod-security.kubernetes.io/enforce': 'restricted',
    },
  },
  spaceNamespace: {
    annotations: { 'korifi.cloudfoundry.org/space-name': 'space1' },
    labels: {
      'korifi.cloudfoundry.org/org-guid': 'org-guid',
      'korifi.cloudfoundry.org/space-guid': 'space-guid',
      'korifi.cloudfoundry.org/space-name': '0e7981ee260c04d7a7c23bb2c6b93839c0cd2ff55c710fda717861cb',
      'pod-security.kubernetes.io/audit': 'restricted',
      'pod-security.kubernetes.io/enforce': 'restricted',
    },
  },
  roleBinding: {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: {
      annotations: { 'cloudfoundry.org/propagate-cf-role': 'true' },
      labels: { 'cloudfoundry.org/propagated-from': 'cf' },
      name: 'sa-admin-binding',
      namespace: 'org-guid',
    },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'korifi-controllers-admin' },
    subjects: [{ kind: 'ServiceAccount', name: 'cf-admin', namespace: 'cf' }],
  },
  serviceAccount: {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      annotations: {
        'cloudfoundry.org/propagate-deletion': 'false',
        'cloudfoundry.org/propagate-service-account': 'true',
      },
      labels: { 'cloudfoundry.org/propagated-from': 'cf' },
      name: 'korifi-app',
      namespace: 'space-guid',
    },
  },
  service: {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      labels: { 'korifi.cloudfoundry.org/app-guid': 'app-guid', 'korifi.cloudfoundry.org/route-guid': 'route-guid' },
      name: 's-destination-guid',
      namespace: 'space-guid',
      ownerReferences: [
        {
          apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
          blockOwnerDeletion: true,
          controller: true,
          kind: 'CFRoute',
          name: 'route-guid',
          uid: 'route-uid',
        },
      ],
    },
    spec: {
      ports: [{ port: 8080, protocol: 'TCP', targetPort: 8080 }],
      selector: { 'korifi.cloudfoundry.org/app-guid': 'app-guid', 'korifi.cloudfoundry.org/process-type': 'web' },
      type: 'ClusterIP',
    },
  },
  httpRouteSpec: {
    hostnames: ['web1.apps.example'],
    parentRefs: [{ group: 'gateway.networking.k8s.io', kind: 'Gateway', name: 'korifi', namespace: 'korifi-gateway' }],
    rules: [
      {
        backendRefs: [{ group: '', kind: 'Service', name: 's-destination-guid', port: 8080, weight: 1 }],
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
      },
    ],
  },
};

const apiVersion = 'korifi.cloudfoundry.org/v1alpha1';
const org: CfOrg = {
  apiVersion,
  kind: 'CFOrg',
  metadata: { name: 'org-guid', namespace: 'cf', uid: 'org-uid' },
  spec: { displayName: 'org1' },
};
const space: CfSpace = {
  apiVersion,
  kind: 'CFSpace',
  metadata: { name: 'space-guid', namespace: 'org-guid', uid: 'space-uid' },
  spec: { displayName: 'space1' },
};
const route: CfRoute = {
  apiVersion,
  kind: 'CFRoute',
  metadata: { name: 'route-guid', namespace: 'space-guid', uid: 'route-uid' },
  spec: { host: 'web1', domainRef: { name: 'default-domain', namespace: 'cf' } },
};
const destination = {
  guid: 'destination-guid',
  port: 8080,
  appRef: { name: 'app-guid' },
  processType: 'web',
  protocol: 'http1',
};

describe('what is made for places, beside what Korifi makes', () => {
  it('namespaces are labelled alike', () => {
    expect(orgNamespaceMetadata(org)).toEqual(recorded.orgNamespace);
    expect(spaceNamespaceMetadata(space)).toEqual(recorded.spaceNamespace);
  });

  it('and have an id of ours besides, by which a repeated creation is recognised', () => {
    const { metadata } = placeNamespace(org, orgNamespaceMetadata(org));
    expect(metadata.annotations).toEqual({
      ...recorded.orgNamespace.annotations,
      'cutover.dev/id': 'org-uid-namespace',
    });
  });

  it('copies of RoleBindings and accounts are alike', () => {
    const { metadata, ...rest } = recorded.roleBinding;
    const source: RoleBinding = {
      ...rest,
      metadata: {
        name: metadata.name,
        namespace: 'cf',
        uid: 'u',
        annotations: { [annotations.propagateRole]: 'true' },
      },
    };
    expect(copiedRoleBinding(source, { from: 'cf', to: 'org-guid' })).toEqual(recorded.roleBinding);
    const account: ServiceAccount = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'korifi-app', namespace: 'cf', annotations: recorded.serviceAccount.metadata.annotations },
    };
    expect(copiedServiceAccount(account, { from: 'cf', to: 'space-guid' }, [])).toEqual(recorded.serviceAccount);
  });

  it('a Service is alike', () => {
    expect(destinationService(route, destination)).toEqual(recorded.service);
  });

  it('an HTTPRoute is alike', () => {
    const gateway = { namespace: 'korifi-gateway', name: 'korifi' };
    const made = httpRoute(route, { fqdn: 'web1.apps.example', path: '/' }, [destination], gateway);
    expect(made).toMatchObject({ metadata: { name: 'route-guid' }, spec: recorded.httpRouteSpec });
  });
});

describe('a copy', () => {
  const passage = { from: 'cf', to: 'org-guid' };

  it('does not claim to be installed by whoever installed its source', () => {
    const source: KubeObject = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        name: 's',
        namespace: 'cf',
        labels: { team: 'a', 'kapp.k14s.io/app': '1' },
        annotations: {
          'meta.helm.sh/release-name': 'r',
          'kubectl.kubernetes.io/last-applied-configuration': '{}',
          note: 'n',
        },
      },
    };
    expect(copiedSecret(source, passage).metadata).toEqual({
      name: 's',
      namespace: 'org-guid',
      // Beyond Korifi: it says where it came from, and so is taken back when its source goes.
      labels: { team: 'a', [labels.propagatedFrom]: 'cf' },
      annotations: { note: 'n' },
    });
  });

  it('of an account names only the secrets that are copied as well', () => {
    const account: ServiceAccount = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'korifi-app', namespace: 'cf' },
      secrets: [{ name: 'korifi-app-token-x' }, { name: 'registry' }],
      imagePullSecrets: [{ name: 'korifi-app-dockercfg-x' }, { name: 'registry' }],
    };
    expect(copiedServiceAccount(account, passage, ['registry'])).toMatchObject({
      secrets: [{ name: 'registry' }],
      imagePullSecrets: [{ name: 'registry' }],
    });
  });
});
