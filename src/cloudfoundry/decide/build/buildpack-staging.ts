import type { Instant } from '../../../clock/clock.ts';
import type { Action } from '../../../control/decision.ts';
import { newBuildWorkload } from '../../manifests/build-workload.ts';
import type { CfBuildView } from '../../observe/cf-build-view.ts';
import type { CfApp } from '../../resources/cf-app.ts';
import type { ImageSource } from '../../resources/image.ts';
import { refusal, refusedSoFar } from '../refusal.ts';
import { failed, running, type Staging, staged, waiting } from './staging.ts';

/** For as long as `cf push` waits by itself for a build to end. */
const patienceMs = 15 * 60_000;

/**
 * A builder makes the droplet: it is handed a BuildWorkload, and answers in its status with the condition `Succeeded` and the
 * droplet. A builder that takes no notice for a quarter of an hour is not there.
 */
export function buildpackStaging(view: CfBuildView, app: CfApp, source: ImageSource): Staging {
  const { resource, workload, env, settings, now } = view;
  if (!workload) {
    if (!env) return waiting('EnvironmentNotRead', 'The environment of the app has not been looked at yet.');
    const appGuid = app.metadata.name ?? '';
    const object = newBuildWorkload({ build: resource, appGuid, source, env, settings });
    const create: Action = { do: 'create', object };
    const refused = refusal(create, view.outcomes);
    if (refused?.isFinal) return failed(`It could not be handed to a builder: ${refused.why}`);
    const standing = refused
      ? waiting('WorkloadRefused', refusedSoFar('Its BuildWorkload', refused))
      : unanswered(view);
    return { ...standing, effects: [create], because: 'a builder is to build it' };
  }
  const answer = workload.status?.conditions?.find(({ type }) => type === 'Succeeded');
  switch (answer?.status) {
    case 'True':
      return answered(view);
    case 'False':
      return failed(answer.message || answer.reason);
    case 'Unknown':
      return running(answer.message);
    default: {
      const until = handedAt(view) + patienceMs;
      if (now < until) return { ...unanswered(view), wakeAt: until };
      return failed(`${noBuilder(view)} Nothing was heard of it for ${patienceMs / 60_000} minutes.`);
    }
  }
}

function answered({ workload }: CfBuildView): Staging {
  const droplet = workload?.status?.droplet;
  if (!droplet?.registry?.image) return failed('The builder says that it is done, and names no image.');
  return staged(droplet);
}

function unanswered(view: CfBuildView): Staging {
  const { builderName } = view.settings;
  if (view.builderReady) return running(`It is handed to the builder ${builderName}.`);
  return waiting('BuilderNotInstalled', noBuilder(view));
}

function noBuilder({ settings, builderReady }: CfBuildView): string {
  const { builderName } = settings;
  if (builderReady) return `The builder ${builderName} has not taken it.`;
  return `No builder ${builderName} is installed: there is no BuilderInfo of that name that is Ready. Install one, or push a docker image.`;
}

function handedAt({ workload, now }: CfBuildView): Instant {
  const at = Date.parse(workload?.metadata.creationTimestamp ?? '');
  return Number.isNaN(at) ? now : at;
}
