import type { FlinkBlueGreenDeploymentSpec, FlinkBlueGreenDeploymentStatus } from './flink-blue-green-deployment.ts';
import type { Nonces } from './progress.ts';

type Settled = Pick<FlinkBlueGreenDeploymentStatus, 'nonces' | 'superseded'>;

/** The redeploy nonces that do not act, or not again, in this spec: acted upon, or superseded just as they are written. */
export function settledNonces({ nonces, superseded }: Settled, spec: FlinkBlueGreenDeploymentSpec): Nonces {
  const { savepointRedeployNonce: savepoint, statelessRedeployNonce: stateless } = spec.template?.spec?.job ?? {};
  return {
    ...nonces,
    ...(savepoint !== undefined && savepoint === superseded?.savepointRedeploy && { savepointRedeploy: savepoint }),
    ...(stateless !== undefined && stateless === superseded?.statelessRedeploy && { statelessRedeploy: stateless }),
  };
}
