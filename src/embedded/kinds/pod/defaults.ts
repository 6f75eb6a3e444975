import type { Fields } from '../../schema/json.ts';

import { each, fields, fill, fillEmpty, inside } from '../draft.ts';
import { canonicalQuantity, canonicalResources } from '../quantity.ts';

/** Fills in a pod specification as the API server does wherever one appears: in pods and in the templates of workloads. */
export function defaultPodSpec(spec: Fields | undefined): void {
  if (!spec) return;
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  fillEmpty(spec, { dnsPolicy: 'ClusterFirst', restartPolicy: 'Always', schedulerName: 'default-scheduler' });
  fill(spec, { terminationGracePeriodSeconds: 30, securityContext: {} });
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of each(spec[list])) defaultContainer(container);
  }
  for (const volume of each(spec.volumes)) defaultVolume(volume);
  canonicalResources(spec.overhead);
}

function defaultContainer(container: Fields): void {
  if (typeof container.image === 'string') {
    fillEmpty(container, { imagePullPolicy: pullPolicyOf(container.image) });
  }
  fillEmpty(container, { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });
  const resources = inside(container, 'resources');
  canonicalResources(resources?.limits);
  canonicalResources(resources?.requests);
  for (const port of each(container.ports)) fillEmpty(port, { protocol: 'TCP' });
  for (const variable of each(container.env)) {
    const source = fields(variable.valueFrom);
    fillEmpty(fields(source?.fieldRef), { apiVersion: 'v1' });
    const resource = fields(source?.resourceFieldRef);
    if (resource) fill(resource, { divisor: '0' });
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = fields(container[name]);
    fillEmpty(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
    defaultAction(probe);
  }
  const lifecycle = fields(container.lifecycle);
  defaultAction(fields(lifecycle?.postStart));
  defaultAction(fields(lifecycle?.preStop));
}

function defaultAction(action: Fields | undefined): void {
  fillEmpty(fields(action?.httpGet), { path: '/', scheme: 'HTTP' });
  fill(fields(action?.grpc), { service: '' });
}

/** An image without a tag, or with the tag `latest`, is pulled every time. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^/:]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

function defaultVolume(volume: Fields): void {
  if (Object.keys(volume).filter((key) => key !== 'name').length === 0) volume.emptyDir = {};
  const mode = { defaultMode: 420 };
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) fill(fields(volume[source]), mode);
  const projected = fields(volume.projected);
  for (const source of each(projected?.sources)) {
    fill(fields(source.serviceAccountToken), { expirationSeconds: 3600 });
    defaultDownward(fields(source.downwardAPI));
  }
  defaultDownward(fields(volume.downwardAPI));
  fill(fields(volume.hostPath), { type: '' });
  const directory = fields(volume.emptyDir);
  if (typeof directory?.sizeLimit === 'string' || typeof directory?.sizeLimit === 'number') {
    directory.sizeLimit = canonicalQuantity(String(directory.sizeLimit));
  }
  const image = fields(volume.image);
  if (typeof image?.reference === 'string') fillEmpty(image, { pullPolicy: pullPolicyOf(image.reference) });
}

function defaultDownward(source: Fields | undefined): void {
  for (const item of each(source?.items)) {
    fillEmpty(fields(item.fieldRef), { apiVersion: 'v1' });
    fill(fields(item.resourceFieldRef), { divisor: '0' });
  }
}

/** What only a pod itself gets, not a template: requests follow limits, service links are on. */
export function defaultPod(spec: Fields | undefined): void {
  if (!spec) return;
  fill(spec, { enableServiceLinks: true });
  const grace = spec.terminationGracePeriodSeconds;
  if (typeof grace === 'number' && grace < 0) spec.terminationGracePeriodSeconds = 1;
  for (const container of [...each(spec.containers), ...each(spec.initContainers)]) {
    const resources = fields(container.resources);
    const limits = fields(resources?.limits);
    if (resources && limits) fill(inside(resources, 'requests'), limits);
    if (spec.hostNetwork === true) {
      for (const port of each(container.ports)) fillEmpty(port, { hostPort: port.containerPort });
    }
  }
}
