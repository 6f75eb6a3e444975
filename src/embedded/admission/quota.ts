import type { AnyObject } from '../../kube/object.ts';
import type { Cluster } from '../auth/cluster.ts';
import type { Attempt } from '../gate.ts';
import { forbidden } from '../status-error.ts';
import { at, list, record, text } from '../table/fields.ts';
import { type Amounts, amountsIn, amountText, things } from './amounts.ts';
import { concerns, inScope, totalOf, usageOf } from './quota-usage.ts';

/**
 * Refuses what would take more than a ResourceQuota of the namespace allows. Usage is counted from the objects that
 * are there, so it is never stale.
 *
 * @throws StatusError 403
 */
export function checkQuota(cluster: Cluster, attempt: Attempt): void {
  const { operation, resource, subresource, namespace, object, oldObject } = attempt;
  if (!namespace || !object || subresource || (operation !== 'CREATE' && operation !== 'UPDATE')) return;
  const quotas = cluster.all('', 'resourcequotas', namespace);
  if (quotas.length === 0) return;
  for (const quota of quotas) {
    const hard = amountsIn(record(quota, 'spec.hard'));
    const names = Object.keys(hard).filter((name) => concerns(resource, name));
    if (names.length === 0 || !inScope(quota, resource, object)) continue;
    const refuse = (why: string): never => {
      throw forbidden({ group: resource.group, plural: resource.plural, name: attempt.name }, why);
    };
    if (operation === 'CREATE' && resource.group === '' && resource.plural === 'pods') {
      const lacking = unspecified(object, names);
      if (lacking) refuse(`failed quota: ${quota.metadata.name}: must specify ${lacking}`);
    }
    const before = oldObject && inScope(quota, resource, oldObject) ? usageOf(resource, oldObject) : {};
    const wanted = growth(usageOf(resource, object), before, names);
    if (Object.keys(wanted).length === 0) continue;
    const used = totalOf(quota, resource, cluster.all(resource.group, resource.plural, namespace));
    const exceeded = Object.keys(wanted).filter(
      (name) => (used[name]?.value ?? 0) + (wanted[name]?.value ?? 0) > (hard[name]?.value ?? 0),
    );
    if (exceeded.length === 0) continue;
    const show = (amounts: Amounts): string =>
      exceeded.map((name) => `${name}=${amountText(amounts[name] ?? things(0))}`).join(',');
    refuse(
      `exceeded quota: ${quota.metadata.name}, requested: ${show(wanted)}, used: ${show(used)}, limited: ${show(hard)}`,
    );
  }
}

/** What the object takes more than before, of the named resources, in order of their names. */
function growth(now: Amounts, before: Amounts, names: readonly string[]): Amounts {
  return Object.fromEntries(
    names.toSorted().flatMap((name) => {
      const amount = now[name];
      const more = (amount?.value ?? 0) - (before[name]?.value ?? 0);
      return amount && more > 0 ? [[name, { ...amount, value: more }]] : [];
    }),
  );
}

/** Which containers leave open what a quota limits: `cpu for: a,b; memory for: a`. */
function unspecified(pod: AnyObject, names: readonly string[]): string {
  const containers = [...list(pod, 'spec.containers'), ...list(pod, 'spec.initContainers')];
  const parts = names.toSorted().flatMap((name) => {
    const [, kind = 'requests', resource = name] = /^(requests|limits)\.(.+)$/.exec(name) ?? [];
    if (!['cpu', 'memory'].includes(resource)) return [];
    const without = containers.filter((each) => at(each, `resources.${kind}.${resource}`) === undefined);
    const who = without.map((each) => text(each, 'name')).sort();
    return who.length > 0 ? [`${name} for: ${who.join(',')}`] : [];
  });
  return parts.join('; ');
}
