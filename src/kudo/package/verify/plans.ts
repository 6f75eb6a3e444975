import { goText } from '../go-text.ts';
import { errors, together } from './finding.ts';
import type { Verifier } from './subject.ts';

/** Parameters trigger only plans that exist, and there is a plan to install by. */
export const verifyPlans: Verifier = ({ found }) => {
  const { plans } = found.operator;
  return together([
    errors(
      found.params.parameters.flatMap(({ name, trigger, at }) =>
        !trigger || plans.has(trigger)
          ? []
          : [{ message: goText('plan %q used in parameter %q is not defined', trigger, name), at }],
      ),
    ),
    errors(plans.has('deploy') ? [] : [{ message: "an operator is required to have 'deploy' plan" }]),
  ]);
};
