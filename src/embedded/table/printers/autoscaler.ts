import { age } from '../age.ts';
import { printer } from '../columns.ts';
import { at, count, list, record, text } from '../fields.ts';

const line = 'Name | Reference | Targets | MinPods | MaxPods | Replicas | Age';

/** Reads `autoscaling/v2`, and `v1` by its one CPU target. */
export const autoscalerPrinter = printer(line, (object, now) => [
  object.metadata.name ?? '',
  `${text(object, 'spec.scaleTargetRef.kind')}/${text(object, 'spec.scaleTargetRef.name')}`,
  targets(object),
  String(at(object, 'spec.minReplicas') ?? '<unset>'),
  count(object, 'spec.maxReplicas'),
  count(object, 'status.currentReplicas'),
  age(object.metadata.creationTimestamp, now),
]);

function targets(object: unknown): string {
  const utilization = at(object, 'spec.targetCPUUtilizationPercentage');
  if (typeof utilization === 'number') {
    const current = at(object, 'status.currentCPUUtilizationPercentage');
    return `cpu: ${typeof current === 'number' ? `${current}%` : '<unknown>'}/${utilization}%`;
  }
  const current = list(object, 'status.currentMetrics');
  const all = list(object, 'spec.metrics').map((metric, index) => target(metric, current[index]));
  if (all.length === 0) return '<none>';
  const shown = all.slice(0, 2).join(', ');
  return all.length > 2 ? `${shown} + ${all.length - 2} more...` : shown;
}

/** Where each type of metric keeps its target and current value, and whether a name stands before it. */
const places: Readonly<Record<string, { readonly field: string; readonly named: boolean; readonly average: string }>> =
  {
    Resource: { field: 'resource', named: true, average: '' },
    ContainerResource: { field: 'containerResource', named: true, average: '' },
    Pods: { field: 'pods', named: false, average: '' },
    Object: { field: 'object', named: false, average: ' (avg)' },
    External: { field: 'external', named: false, average: ' (avg)' },
  };

function target(metric: unknown, status: unknown): string {
  const place = places[text(metric, 'type')];
  if (!place) return '<unknown type>';
  const wanted = record(metric, `${place.field}.target`);
  const current = record(status, `${place.field}.current`);
  const prefix = place.named ? `${text(metric, `${place.field}.name`)}: ` : '';
  const value = (key: string, suffix = ''): string =>
    current[key] === undefined ? '<unknown>' : `${current[key]}${suffix}`;
  if (wanted.averageValue !== undefined) {
    return `${prefix}${value('averageValue')}/${wanted.averageValue}${place.average}`;
  }
  if (!place.named) return `${value('value')}/${wanted.value}`;
  const percent = wanted.averageUtilization === undefined ? '<auto>' : `${wanted.averageUtilization}%`;
  return `${prefix}${value('averageUtilization', '%')}/${percent}`;
}
