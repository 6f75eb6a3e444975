import type { AnyObject } from '../../../kube/object.ts';
import type { Strategy } from '../../resource.ts';
import { timestamp } from '../../timestamp.ts';
import { fields, inside, keep } from '../draft.ts';
import { validateBuiltIn } from '../object-meta.ts';
import type { Pod } from '../objects/pod.ts';
import { dns1123Label, dns1123Subdomain } from '../syntax.ts';
import { addPatience, admitPod } from './admit.ts';
import { defaultPod, defaultPodSpec } from './defaults.ts';
import { qualityOf } from './quality.ts';
import { validatePodSpec } from './validate.ts';
import { validatePodUpdate } from './validate-update.ts';

const asPod = (object: AnyObject): Pod => object as unknown as Pod;

export const podStrategy: Strategy = {
  generation: true,
  defaults(draft) {
    const spec = inside(draft, 'spec');
    defaultPodSpec(spec);
    defaultPod(spec);
  },
  prepareForCreate(draft, context) {
    admitPod(draft, context);
    defaultPodSpec(fields(draft.spec));
    const spec = draft.spec as Pod['spec'];
    const gated = Array.isArray(spec.schedulingGates) && spec.schedulingGates.length > 0;
    draft.status = {
      phase: 'Pending',
      ...(gated && { conditions: [gatedAt(timestamp(context.clock.now()))] }),
      qosClass: qualityOf(spec),
    };
  },
  prepareForUpdate(draft, before) {
    const spec = fields(draft.spec);
    if (spec) addPatience(spec);
    keep(draft, before, 'status');
  },
  validate(object, before) {
    const { spec } = asPod(object);
    return [
      ...validateBuiltIn(object, before, dns1123Subdomain),
      ...validatePodSpec('spec', spec),
      ...(before ? validatePodUpdate(spec, asPod(before).spec) : []),
    ];
  },
  fields(object) {
    const { spec, status } = asPod(object);
    return {
      'spec.nodeName': spec.nodeName ?? '',
      'spec.restartPolicy': spec.restartPolicy ?? '',
      'spec.schedulerName': spec.schedulerName ?? '',
      'spec.serviceAccountName': spec.serviceAccountName ?? '',
      'spec.hostNetwork': String(spec.hostNetwork === true),
      'status.phase': status?.phase ?? '',
      'status.podIP': status?.podIP ?? '',
      'status.nominatedNodeName': '',
    };
  },
  /** A pod that no node runs, or that has ended, needs no farewell. */
  graceSeconds(object, requested) {
    const { spec, status } = asPod(object);
    if (!spec.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0;
    const seconds = requested ?? spec.terminationGracePeriodSeconds ?? 0;
    return seconds < 0 ? 1 : seconds;
  },
  warnings(object) {
    const messages = dns1123Label(object.metadata.name ?? '');
    if (messages.length === 0) return [];
    const why = "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior";
    return [`${why}; a DNS label is recommended: [${messages.join(' ')}]`];
  },
};

const gatedAt = (time: string) => ({
  type: 'PodScheduled',
  status: 'False',
  lastProbeTime: null,
  lastTransitionTime: time,
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
});
