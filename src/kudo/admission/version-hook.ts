import type { Hook } from '../../control/webhooks/admission.ts';
import { specialPlans } from '../keys.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';

/** What is listed at most; the rest is counted. */
const most = 10;

/** Tells what will not work in an OperatorVersion, and lets it through: KUDO does, and packages are mended in place. */
export const versionHook: Hook = {
  validate({ operation, subResource, object }) {
    if (!object || subResource || (operation !== 'CREATE' && operation !== 'UPDATE')) return { allowed: true };
    const doubts = doubtsOf(object as unknown as OperatorVersion);
    const further = doubts.length > most ? [`and ${doubts.length - most} more`] : [];
    return { allowed: true, warnings: [...doubts.slice(0, most), ...further] };
  },
};

/** Plans that refer to tasks, and parameters that refer to plans, which are not there. */
function doubtsOf({ spec }: OperatorVersion): readonly string[] {
  const plans = listed(Object.entries(spec?.plans ?? {}));
  const tasks = new Set(listed(spec?.tasks).map(({ name }) => name));
  const names = new Set(plans.map(([name]) => name));
  return [
    ...(names.has(specialPlans.deploy) ? [] : ['there is no plan deploy: no Instance can be created']),
    ...plans.flatMap(([plan, body]) =>
      listed(body?.phases).flatMap((phase) =>
        listed(phase?.steps).flatMap((step) =>
          listed(step?.tasks)
            .filter((task) => !tasks.has(task))
            .map((task) => `plan ${plan}, phase ${phase.name}, step ${step.name}: there is no task ${task}`),
        ),
      ),
    ),
    ...listed(spec?.parameters)
      .filter((parameter) => parameter?.trigger && !names.has(parameter.trigger))
      .map(({ name, trigger }) => `parameter ${name}: there is no plan ${trigger}; changes of it will be refused`),
  ];
}

function listed<T>(values: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(values) ? values : [];
}
