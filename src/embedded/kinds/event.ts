import type { AnyObject } from '../../kube/object.ts';
import type { Strategy } from '../resource.ts';
import { fill } from './draft.ts';
import { validateBuiltIn } from './object-meta.ts';
import { dns1123Subdomain } from './syntax.ts';
import { validateEvent } from './validate-event.ts';

interface Reference {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/**
 * Events are one resource under two groups, whose field names differ: the core group speaks of the `involvedObject`,
 * `events.k8s.io` of what the event is `regarding`. Whichever stored it, the same values can be selected.
 */
function about(event: AnyObject): Reference {
  return (event.involvedObject ?? event.regarding ?? {}) as Reference;
}

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export const eventStrategy = (group: 'core' | 'events'): Strategy => ({
  defaults(draft) {
    if (group === 'core') {
      fill(draft, { eventTime: null, firstTimestamp: null, lastTimestamp: null });
      fill(draft, { reportingComponent: '', reportingInstance: '', source: {} });
      for (const name of ['eventTime', 'firstTimestamp', 'lastTimestamp']) draft[name] ??= null;
    } else {
      fill(draft, { deprecatedFirstTimestamp: null, deprecatedLastTimestamp: null, deprecatedSource: {} });
    }
  },
  validate(object, before) {
    return [...validateEvent(group, object, before), ...validateBuiltIn(object, before, dns1123Subdomain)];
  },
  fields(object) {
    const reference = about(object);
    const source = (object.source ?? object.deprecatedSource ?? {}) as { readonly component?: string };
    const reporter = text(object.reportingComponent) || text(object.reportingController);
    const name = group === 'core' ? 'involvedObject' : 'regarding';
    return {
      ...Object.fromEntries(referenceFields.map((part) => [`${name}.${part}`, reference[part] ?? ''])),
      reason: text(object.reason),
      type: text(object.type),
      ...(group === 'core'
        ? { reportingComponent: reporter, source: source.component || reporter }
        : { reportingController: reporter }),
    };
  },
});
