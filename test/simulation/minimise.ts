import type { Plan } from './plan.ts';

/** The plan without all faults and acts that it fails without as well, tried one by one. */
export async function minimise(plan: Plan, fails: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let least = plan;
  for (const call of Object.keys(plan.faults).map(Number)) {
    const { [call]: _left, ...faults } = least.faults;
    const smaller = { ...least, faults };
    if (await fails(smaller)) least = smaller;
  }
  const { acts, ...alone } = least;
  return acts && (await fails(alone)) ? alone : least;
}
