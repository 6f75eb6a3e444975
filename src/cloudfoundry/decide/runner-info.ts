import type { View } from '../../control/controller.ts';
import { type Decision, idle } from '../../control/decision.ts';
import type { RunnerInfo } from '../resources/runner-info.ts';
import { conclude } from './conclude.ts';

export interface RunnerInfoView extends View {
  readonly info: RunnerInfo;
  /** The name that our runner is called by. */
  readonly runnerName: string;
}

/** Says what our runner can do, for whoever asks before a deployment. */
export function decideRunnerInfo({ info, runnerName, now }: RunnerInfoView): Decision {
  const spec = info.spec as RunnerInfo['spec'] | undefined;
  if (spec?.runnerName !== runnerName) return idle('it speaks of another runner');
  if (info.metadata.deletionTimestamp) return idle('it is being deleted');
  return conclude(info, now, {
    status: { ...info.status, capabilities: { rollingDeploy: true } },
    readiness: { ready: true },
    because: 'the runner replaces instances without stopping the app',
  });
}
