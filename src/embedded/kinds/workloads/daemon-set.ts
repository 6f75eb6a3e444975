import type { AnyObject } from '../../../kube/object.ts';
import type { Strategy } from '../../resource.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import { immutable, nonNegative, same } from '../checks.ts';
import { fill, fillEmpty, inside } from '../draft.ts';
import { bareNumber, validateAtMostAll, validateIntOrPercent } from '../int-or-string.ts';
import { validateBuiltIn } from '../object-meta.ts';
import type { DaemonSet } from '../objects/workload.ts';
import { dns1123Subdomain } from '../syntax.ts';
import { withStatus } from '../with-status.ts';
import { defaultTemplate, validateEndless, validateSelecting } from './template.ts';

const asSet = (object: AnyObject): DaemonSet => object as unknown as DaemonSet;

/** Counts changes of the template; a relic that clients still read. */
const templateGeneration = 'deprecated.daemonset.template.generation';

const status = withStatus(() => ({
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
}));

export const daemonSetStrategy: Strategy = {
  ...status,
  defaults(draft) {
    const spec = inside(draft, 'spec');
    if (!spec) return;
    fill(spec, { revisionHistoryLimit: 10 });
    const strategy = inside(spec, 'updateStrategy');
    fillEmpty(strategy, { type: 'RollingUpdate' });
    if (strategy?.type === 'RollingUpdate') {
      fill(inside(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
    }
    defaultTemplate(spec);
  },
  prepareForCreate(draft) {
    status.prepareForCreate(draft);
    const annotations = inside(draft.metadata, 'annotations');
    if (annotations) annotations[templateGeneration] = '1';
  },
  prepareForUpdate(draft, before) {
    status.prepareForUpdate(draft, before);
    const old = Number(before.metadata.annotations?.[templateGeneration] ?? 1);
    const changed = !same((draft.spec as DaemonSet['spec'])?.template, asSet(before).spec.template);
    const annotations = inside(draft.metadata, 'annotations');
    if (annotations) annotations[templateGeneration] = String(changed ? old + 1 : old);
  },
  validate(object, before) {
    const { spec } = asSet(object);
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...validateSelecting(spec, 'daemonset', { optional: true }),
      ...validateEndless(spec.template, 'DaemonSet'),
      ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
      ...validateUpdateStrategy(spec.updateStrategy),
      ...nonNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
      ...(before ? immutable('spec.selector', spec.selector, asSet(before).spec.selector) : []),
    ];
  },
};

function validateUpdateStrategy(strategy: DaemonSet['spec']['updateStrategy'] = {}): readonly FieldError[] {
  const field = 'spec.updateStrategy';
  const { type, rollingUpdate } = strategy;
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') {
    return [unsupportedValue(field, { Type: type, RollingUpdate: null }, ['RollingUpdate', 'OnDelete'])];
  }
  const { maxUnavailable, maxSurge } = rollingUpdate ?? {};
  const [most, surge] = [`${field}.rollingUpdate.maxUnavailable`, `${field}.rollingUpdate.maxSurge`];
  const [down, up] = [bareNumber(maxUnavailable) !== 0, bareNumber(maxSurge) !== 0];
  return [
    ...validateIntOrPercent(most, maxUnavailable),
    ...validateIntOrPercent(surge, maxSurge),
    ...validateAtMostAll(most, maxUnavailable),
    ...validateAtMostAll(surge, maxSurge),
    ...(down && up ? [invalidValue(surge, maxSurge, 'may not be set when maxUnavailable is non-zero')] : []),
    ...(!down && !up ? [requiredValue(most, 'cannot be 0 when maxSurge is 0')] : []),
  ];
}
