import { operatorNameProblem } from '../operator-name.ts';
import { ownWarnings } from './finding.ts';
import type { Verifier } from './subject.ts';

/** KUDO finds out when it installs the package. */
export const verifyOperatorName: Verifier = ({ found }) => {
  const problem = operatorNameProblem(found.operator.name);
  return ownWarnings(problem === undefined ? [] : [{ message: `operator.yaml: ${problem}` }]);
};
