import type { KubeObject } from '../../kube/object.ts';
import { annotations } from '../keys.ts';
import { cfDomain } from '../resources/cf-domain.ts';
import { runnerInfo } from '../resources/runner-info.ts';
import type { CloudFoundrySettings } from '../settings.ts';

/** What pods of apps and of tasks run as. They are passed on to spaces, and stay there when the installation goes. */
const accounts = ['korifi-app', 'korifi-task'] as const;

/** The CFDomain of the domain that routes have when they name none. */
const defaultDomain = 'default-domain';

/** The root namespace and what is in it from the start. */
export function rootNamespace(settings: CloudFoundrySettings): readonly KubeObject[] {
  const namespace = settings.rootNamespace;
  const passedOn = { [annotations.propagateServiceAccount]: 'true', [annotations.propagateDeletion]: 'false' };
  const domain = {
    apiVersion: cfDomain.apiVersion,
    kind: cfDomain.type.kind,
    metadata: { name: defaultDomain, namespace },
    spec: { name: settings.defaultDomain },
  };
  const runner = {
    apiVersion: runnerInfo.apiVersion,
    kind: runnerInfo.type.kind,
    metadata: { name: settings.runnerName, namespace },
    spec: { runnerName: settings.runnerName },
  };
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...accounts.map((name) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace, annotations: passedOn },
    })),
    domain,
    runner,
  ];
}

/** The Secret that pulls images from a registry that asks who is there. `config` is a Docker configuration: JSON. */
export function registrySecret(settings: CloudFoundrySettings, name: string, config: string): KubeObject {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: settings.rootNamespace },
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(config, 'utf8').toString('base64') },
  };
  return secret;
}
