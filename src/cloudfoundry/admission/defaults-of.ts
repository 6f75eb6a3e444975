import type { AnyObject } from '../../kube/object.ts';
import { processDefaults } from '../manifests/cf-process.ts';
import type { CfProcessSpec } from '../resources/cf-process.ts';
import type { CloudFoundrySettings } from '../settings.ts';

/** The spec with what nobody has said. */
export function defaultsOf({ kind, spec }: AnyObject, settings: Pick<CloudFoundrySettings, 'process'>): unknown {
  return kind === 'CFProcess' ? processSpec((spec ?? {}) as CfProcessSpec, settings) : spec;
}

/** Zero megabytes are no wish: published programs write them for "as usual". */
function processSpec(spec: CfProcessSpec, settings: Pick<CloudFoundrySettings, 'process'>): CfProcessSpec {
  const usual = processDefaults(spec.processType ?? '', settings);
  return {
    ...spec,
    desiredInstances: spec.desiredInstances ?? usual.desiredInstances,
    memoryMB: spec.memoryMB || usual.memoryMB,
    diskQuotaMB: spec.diskQuotaMB || usual.diskQuotaMB,
    healthCheck: {
      type: spec.healthCheck?.type || usual.healthCheck.type || 'process',
      data: { ...usual.healthCheck.data, ...spec.healthCheck?.data },
    },
  };
}
