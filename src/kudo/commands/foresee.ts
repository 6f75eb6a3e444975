import { CommandError } from '../../portrait/text/command-error.ts';
import { specialPlans } from '../keys.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { plannedWork } from './preview/planned.ts';
import type { Session } from './session.ts';

/**
 * Warns of what the plans of a version will stumble over, before it is installed: what has to be repaired in objects that
 * Kubernetes no longer takes as they are written, and a plan that must run and cannot. A package may still be installed: other
 * values, or other plans, may be fine.
 */
export function foresee(
  session: Session,
  version: OperatorVersion,
  instance: { readonly name: string; readonly namespace: string },
  parameters: Readonly<Record<string, string>>,
  mustRun: string = specialPlans.deploy,
): void {
  const warnings = new Set<string>();
  for (const plan of Object.keys(version.spec.plans ?? {}).sort()) {
    try {
      const subject = { version, instance: { ...instance, uid: '' }, parameters };
      for (const warning of plannedWork(subject, plan).warnings) warnings.add(warning);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (plan === mustRun) warnings.add(`plan ${plan} will fail: ${error.message}`);
    }
  }
  for (const warning of warnings) session.warn(warning);
}
