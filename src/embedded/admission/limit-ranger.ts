import type { AnyObject } from '../../kube/object.ts';
import type { Cluster } from '../auth/cluster.ts';
import type { Attempt } from '../gate.ts';
import type { Draft } from '../resource.ts';
import { copy } from '../schema/json.ts';
import { forbidden } from '../status-error.ts';
import { list, record, text } from '../table/fields.ts';
import { type Amounts, amountsIn, amountText } from './amounts.ts';
import { podResources } from './pod-resources.ts';

/** Gives containers of a new pod the resources that the namespace's LimitRanges prescribe for those that ask for none. */
export function applyLimitDefaults(cluster: Cluster, attempt: Attempt): AnyObject | undefined {
  const { object, namespace } = attempt;
  if (!object || !isCreateOf(attempt, 'pods')) return object;
  const ranges = limitsOf(cluster, namespace, 'Container').filter(
    (limit) => Object.keys({ ...record(limit, 'default'), ...record(limit, 'defaultRequest') }).length > 0,
  );
  if (ranges.length === 0) return object;
  const draft = copy(object) as Draft;
  const said: string[] = [];
  for (const limit of ranges) {
    for (const [field, title] of [
      ['containers', 'container'],
      ['initContainers', 'init container'],
    ] as const) {
      for (const container of (draft.spec?.[field] ?? []) as Draft[]) said.push(...fill(container, limit, title));
    }
  }
  if (said.length === 0) return object;
  const note = `LimitRanger plugin set: ${said.join('; ')}`;
  draft.metadata.annotations = { ...draft.metadata.annotations, 'kubernetes.io/limit-ranger': note };
  return draft as AnyObject;
}

function fill(container: Draft, limit: unknown, title: string): readonly string[] {
  const resources = { ...container.resources };
  const said: string[] = [];
  for (const [field, source, word] of [
    ['requests', 'defaultRequest', 'request'],
    ['limits', 'default', 'limit'],
  ] as const) {
    const present = resources[field] ?? {};
    const missing = Object.entries(record(limit, source)).filter(([name]) => !Object.hasOwn(present, name));
    if (missing.length === 0) continue;
    resources[field] = { ...present, ...Object.fromEntries(missing) };
    const names = missing.map(([name]) => name).sort();
    said.push(`${names.join(', ')} ${word} for ${title} ${container.name}`);
  }
  container.resources = resources;
  return said;
}

/** Refuses pods and claims that ask for more or less than the namespace's LimitRanges allow. @throws StatusError 403 */
export function checkLimits(cluster: Cluster, attempt: Attempt): void {
  const { object, namespace, resource, name } = attempt;
  if (!object) return;
  const problems: string[] = [];
  if (isCreateOf(attempt, 'pods')) {
    for (const limit of limitsOf(cluster, namespace, 'Container')) {
      for (const container of [...list(object, 'spec.containers'), ...list(object, 'spec.initContainers')]) {
        const requests = amountsIn(record(container, 'resources.requests'));
        problems.push(...violations('Container', limit, requests, amountsIn(record(container, 'resources.limits'))));
      }
    }
    for (const limit of limitsOf(cluster, namespace, 'Pod')) {
      problems.push(...violations('Pod', limit, podResources(object, 'requests'), podResources(object, 'limits')));
    }
  } else if (isCreateOf(attempt, 'persistentvolumeclaims')) {
    const requests = amountsIn(record(object, 'spec.resources.requests'));
    for (const limit of limitsOf(cluster, namespace, 'PersistentVolumeClaim')) {
      problems.push(...violations('PersistentVolumeClaim', limit, requests, undefined));
    }
  }
  const distinct = [...new Set(problems)];
  if (distinct.length === 0) return;
  const why = distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`;
  throw forbidden({ group: resource.group, plural: resource.plural, name }, why);
}

const isCreateOf = ({ operation, resource, subresource }: Attempt, plural: string): boolean =>
  operation === 'CREATE' && resource.group === '' && resource.plural === plural && !subresource;

function limitsOf(cluster: Cluster, namespace: string | undefined, type: string): readonly unknown[] {
  const ranges = cluster.all('', 'limitranges', namespace ?? '');
  if (ranges.length === 0) return [];
  return ranges.flatMap((range) => list(range, 'spec.limits')).filter((limit) => text(limit, 'type') === type);
}

/** What is wrong, in the real server's words. Claims have no limits, only requests. */
function violations(type: string, limit: unknown, requests: Amounts, limits: Amounts | undefined): readonly string[] {
  const wrong: string[] = [];
  for (const [name, least] of Object.entries(amountsIn(record(limit, 'min')))) {
    const rule = `minimum ${name} usage per ${type} is ${amountText(least)}`;
    const [request, given] = [requests[name], limits?.[name]];
    if (!request) wrong.push(`${rule}.  No request is specified`);
    else if (request.value < least.value) wrong.push(`${rule}, but request is ${amountText(request)}`);
    else if (given && given.value < least.value) wrong.push(`${rule}, but limit is ${amountText(given)}`);
  }
  for (const [name, greatest] of Object.entries(amountsIn(record(limit, 'max')))) {
    const rule = `maximum ${name} usage per ${type} is ${amountText(greatest)}`;
    const [request, given] = [requests[name], limits?.[name]];
    const over = (amount: Amounts[string] | undefined): boolean => !!amount && amount.value > greatest.value;
    if (limits && !given) wrong.push(`${rule}.  No limit is specified`);
    else if (!limits && !request) wrong.push(`${rule}.  No request is specified`);
    else if (given && over(given)) wrong.push(`${rule}, but limit is ${amountText(given)}`);
    else if (request && over(request)) wrong.push(`${rule}, but request is ${amountText(request)}`);
  }
  for (const [name, greatest] of Object.entries(amountsIn(record(limit, 'maxLimitRequestRatio')))) {
    const rule = `${name} max limit to request ratio per ${type} is ${amountText(greatest)}`;
    const [request, given] = [requests[name], limits?.[name]];
    if (!request?.value) wrong.push(`${rule}, but no request is specified or request is 0`);
    else if (!given?.value) wrong.push(`${rule}, but no limit is specified or limit is 0`);
    else if (given.value / request.value > greatest.value) {
      wrong.push(`${rule}, but provided ratio is ${(given.value / request.value).toFixed(6)}`);
    }
  }
  return wrong;
}
