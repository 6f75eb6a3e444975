import type { AnyObject } from '../../../kube/object.ts';
import type { Strategy } from '../../resource.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import { immutable, invalidFor, nonNegative } from '../checks.ts';
import { defaultClaim, validateClaimSpec } from '../claim.ts';
import { each, fields, fill, fillEmpty, inside } from '../draft.ts';
import { bareNumber, validateAtMostAll, validateIntOrPercent } from '../int-or-string.ts';
import { validateBuiltIn } from '../object-meta.ts';
import type { StatefulSet } from '../objects/workload.ts';
import { dns1123Label } from '../syntax.ts';
import { withStatus } from '../with-status.ts';
import { defaultTemplate, validateEndless, validateSelecting } from './template.ts';

const asSet = (object: AnyObject): StatefulSet => object as unknown as StatefulSet;

export const statefulSetStrategy: Strategy = {
  ...withStatus(() => ({ replicas: 0, availableReplicas: 0 })),
  defaults(draft) {
    const spec = inside(draft, 'spec');
    if (!spec) return;
    fillEmpty(spec, { podManagementPolicy: 'OrderedReady' });
    fill(spec, { replicas: 1, revisionHistoryLimit: 10, serviceName: '' });
    const strategy = inside(spec, 'updateStrategy');
    if (strategy && !strategy.type) {
      strategy.type = 'RollingUpdate';
      inside(strategy, 'rollingUpdate');
    }
    if (strategy?.type === 'RollingUpdate') fill(fields(strategy.rollingUpdate), { partition: 0, maxUnavailable: 1 });
    fillEmpty(inside(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
    for (const claim of each(spec.volumeClaimTemplates)) {
      fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
      defaultClaim(claim);
    }
    defaultTemplate(spec);
  },
  validate(object, before) {
    const { spec } = asSet(object);
    const claims = (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? '');
    const policies = ['OrderedReady', 'Parallel'];
    const policy = spec.podManagementPolicy ?? '';
    return [
      ...validateBuiltIn(object, before, dns1123Label),
      ...(policies.includes(policy)
        ? []
        : [invalidValue('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
      ...validateUpdateStrategy(spec.updateStrategy),
      ...validateRetention(spec.persistentVolumeClaimRetentionPolicy),
      ...(spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
        validateClaimSpec(`spec.volumeClaimTemplates[${index}].spec`, claim.spec ?? {}),
      ),
      ...nonNegative('spec.replicas', spec.replicas),
      ...nonNegative('spec.minReadySeconds', spec.minReadySeconds),
      ...nonNegative('spec.ordinals.start', spec.ordinals?.start),
      ...(spec.serviceName ? invalidFor('spec.serviceName', spec.serviceName, dns1123Label(spec.serviceName)) : []),
      ...validateSelecting(spec, 'statefulset', { extraVolumes: claims, unusable: '' }),
      ...validateEndless(spec.template, 'StatefulSet'),
      ...(before ? validateUpdate(spec, asSet(before).spec) : []),
    ];
  },
};

function validateUpdate(after: StatefulSet['spec'], before: StatefulSet['spec']): readonly FieldError[] {
  return (['selector', 'volumeClaimTemplates', 'serviceName', 'podManagementPolicy'] as const).flatMap((name) =>
    immutable(`spec.${name}`, after[name], before[name]),
  );
}

function validateUpdateStrategy(strategy: StatefulSet['spec']['updateStrategy'] = {}): readonly FieldError[] {
  const field = 'spec.updateStrategy';
  const { type, rollingUpdate } = strategy;
  switch (type) {
    case undefined:
    case '':
      return [requiredValue(field)];
    case 'OnDelete':
      return rollingUpdate
        ? [invalidValue(`${field}.rollingUpdate`, rollingUpdate, "only allowed for updateStrategy 'RollingUpdate'")]
        : [];
    case 'RollingUpdate': {
      const at = `${field}.rollingUpdate`;
      const most = rollingUpdate?.maxUnavailable;
      return [
        ...nonNegative(`${at}.partition`, rollingUpdate?.partition),
        ...validateIntOrPercent(`${at}.maxUnavailable`, most),
        ...(most !== undefined && bareNumber(most) === 0
          ? [invalidValue(`${at}.maxUnavailable`, most, 'cannot be 0')]
          : []),
        ...validateAtMostAll(`${at}.maxUnavailable`, most),
      ];
    }
    default:
      return [invalidValue(field, { Type: type, RollingUpdate: null }, "must be 'RollingUpdate' or 'OnDelete'")];
  }
}

function validateRetention(
  policy: StatefulSet['spec']['persistentVolumeClaimRetentionPolicy'] = {},
): readonly FieldError[] {
  const supported = ['Retain', 'Delete'];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((name) => {
    const value = policy[name];
    if (value === undefined || supported.includes(value)) return [];
    return [unsupportedValue(`spec.persistentVolumeClaimRetentionPolicy.${name}`, value, supported)];
  });
}
