import type { Answers } from '../../portrait/portrait.ts';
import type { VerbName } from '../../portrait/verb.ts';
import { type Count, countOf, wantedOf } from './instances.ts';
import type { Scene } from './scene.ts';
import { stuckOn } from './summarize-app.ts';

/** The five answers, for each situation of an app. */
export function answersOf(scene: Scene): Answers {
  const { situation, appRev, trouble, paused } = scene;
  const { spec, metadata } = scene.app;
  const called = `app/${spec.displayName || metadata.name} -n ${metadata.namespace}`;
  const typed = (verb: VerbName): string => `\`cutover ${verb} ${called}\``;
  const stuck = stuckOn(scene);
  const common = { serves: servesNow(scene), next: paused ? `To go on: ${typed('resume')}.` : '' };
  const filled = ((): Omit<Answers, 'serves'> => {
    switch (situation.is) {
      case 'deleting':
        return {
          changing: 'The app is being deleted.',
          progress: left(scene),
          ifStopped: 'A deletion cannot be stopped.',
          next: 'Nothing: it is gone when its instances have ended.',
        };
      case 'stopped':
        return {
          changing: 'Nothing: the app is stopped, as was asked for.',
          progress: 'Done.',
          ifStopped: 'Nothing is under way.',
          next: `${typed('resume')} starts it with a new revision.`,
        };
      case 'stopping':
        return {
          changing: 'The app is being stopped.',
          progress: left(scene),
          ifStopped: 'Resuming it starts a new revision; the instances that are ending do not come back.',
          next: 'Wait for the instances to end.',
        };
      case 'without-droplet':
        return {
          changing: 'Nothing: there is no droplet to run.',
          progress: 'It has not begun.',
          ifStopped: 'Nothing is under way.',
          next: trouble?.message ?? 'Push the app.',
        };
      case 'running':
        return {
          changing: 'Nothing.',
          progress: `Done: revision ${appRev} runs on all instances.`,
          ifStopped: 'Nothing is under way.',
          next: 'Nothing to do.',
        };
      case 'starting':
        return {
          changing: `Revision ${appRev} is being started; ${trouble?.message ?? 'nothing is in its way.'}`,
          progress: far(scene),
          ifStopped: `Suspending the app ends the instances that have started; nothing served before them.`,
          next: stuck ?? 'Wait until its instances are ready.',
        };
      case 'rolling':
        return {
          changing: `${goal(scene)}${stuck === undefined ? '' : ` It does not get on: ${stuck}`}`,
          progress: far(scene),
          ifStopped: wayBack(scene),
          next:
            stuck === undefined
              ? `Wait; or ${typed('abort')} to go back.`
              : `${typed('abort')} goes back; or push a version that starts.`,
        };
      case 'canary':
        return {
          changing: `${goal(scene)} It waits after its canary.`,
          progress: far(scene),
          ifStopped: wayBack(scene),
          next: `${typed('promote')} replaces the other instances; ${typed('abort')} goes back.`,
        };
      case 'returning':
        return {
          changing: `The deployment of revision ${situation.mark.appRev} was canceled: revision ${appRev} comes back.`,
          progress: far(scene),
          ifStopped: 'A cancel is not canceled: deploy again instead.',
          next: 'Wait until all instances are back; then deploy what you want.',
        };
    }
  })();
  return { ...filled, ...common, next: common.next || filled.next };
}

function servesNow(scene: Scene): string {
  const { situation, appRev, routes } = scene;
  const revisions = [
    ...new Set(['mark' in situation ? situation.mark.appRev : appRev, appRev, scene.before ?? appRev]),
  ];
  const serving = revisions
    .toSorted((a, b) => a - b)
    .map((rev) => ({ rev, count: countOf(scene, rev) }))
    .filter(({ count }) => count.ready > 0);
  if (serving.length === 0) return 'Nothing serves: no instance is ready.';
  const told = serving.map(({ rev, count }) => `${instances(count.ready)} of revision ${rev}`).join(' and ');
  const at = routes.flatMap(({ status }) => (typeof status?.uri === 'string' ? [status.uri] : [])).slice(0, 3);
  return `${told} ${serving.length === 1 && serving[0]?.count.ready === 1 ? 'serves' : 'serve'}${at.length > 0 ? ` at ${at.join(', ')}` : ''}.`;
}

function goal({ appRev, before, current }: Scene): string {
  const strategy = current?.record.spec.strategy === 'canary' ? 'canary' : 'rolling';
  const same = current && current.record.spec.dropletRef?.name === current.record.spec.previousDropletRef?.name;
  const why = same ? 'a restart of the same droplet' : 'a new droplet';
  const over = before === undefined ? 'starts' : `replaces revision ${before}`;
  return `Revision ${appRev} ${over}: a ${strategy} deployment, for ${why}.`;
}

/** How many instances run the wanted revision. */
export function far(scene: Scene): string {
  const count: Count = countOf(scene, scene.appRev);
  const waits = scene.current?.standing.error;
  return `${count.ready} of ${instances(wantedOf(scene))} of revision ${scene.appRev} ready.${waits ? ` ${waits}` : ''}`;
}

function left({ pods }: Scene): string {
  return pods.length === 0 ? 'No instance is left.' : `${instances(pods.length)} left to end.`;
}

function wayBack({ situation }: Scene): string {
  if (!('mark' in situation)) return 'Nothing is under way.';
  const { previous } = situation.mark;
  return previous === undefined
    ? 'The app did not run before: aborting stops it again.'
    : `Instances go back to revision ${previous.appRev} one by one; it serves all the while.`;
}

export function instances(count: number): string {
  return `${count} ${count === 1 ? 'instance' : 'instances'}`;
}
