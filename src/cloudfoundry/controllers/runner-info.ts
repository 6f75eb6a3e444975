import type { Caches } from '../../control/caches.ts';
import type { Controller } from '../../control/controller.ts';
import type { AnyController } from '../../control/operator.ts';
import { decideRunnerInfo, type RunnerInfoView } from '../decide/runner-info.ts';
import { openCloudFoundryCaches } from '../observe/caches.ts';
import { type RunnerInfo, runnerInfo } from '../resources/runner-info.ts';
import { identity } from './identity.ts';
import type { CloudFoundryControllersOptions } from './options.ts';

export function runnerInfoController({ settings }: CloudFoundryControllersOptions): (caches: Caches) => AnyController {
  return (opened) => {
    const { runnerInfos } = openCloudFoundryCaches(opened, settings);
    const { runnerName } = settings;
    const controller: Controller<RunnerInfo, RunnerInfoView> = {
      ...identity(runnerInfo),
      name: 'runnerinfo',
      primary: runnerInfos,
      observe: (_key, { object, now, outcomes }) => ({ now, outcomes, info: object, runnerName }),
      decide: decideRunnerInfo,
    };
    return controller;
  };
}
