import { isSameTemplate } from '../../resources/blue-green-change.ts';
import type { Spec } from './blue-green-case.ts';

/** Only ignorable differences are left between the two, nonces included; whether the job is to run is another question. */
export function isRevert(served: Spec, desired: Spec): boolean {
  return isSameTemplate(running(served), running(desired));
}

function running(spec: Spec): Spec {
  const { template } = spec;
  if (!template?.spec?.job) return spec;
  const { state: _, ...job } = template.spec.job;
  return { ...spec, template: { ...template, spec: { ...template.spec, job } } };
}
