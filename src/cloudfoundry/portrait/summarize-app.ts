import type { AnyObject } from '../../kube/object.ts';
import type { Subject } from '../../portrait/subject.ts';
import type { Phase, Summary } from '../../portrait/summary.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { type AppStanding, appStanding } from './situation.ts';

/** An app in one line. */
export function summarizeApp(object: AnyObject): Summary {
  return summaryOf(appStanding(object as unknown as CfApp));
}

export function summaryOf(standing: AppStanding): Summary {
  const { app, situation, since } = standing;
  const needsYou = neededFor(standing);
  return {
    subject: subjectOf(app),
    phase: phaseOf(standing),
    state: stateOf(standing),
    headline: headlineOf(standing),
    serving: servingOf(standing),
    inTransition: ['rolling', 'canary', 'returning', 'starting', 'stopping'].includes(situation.is),
    ...(needsYou !== undefined && { needsYou }),
    ...(since !== undefined && { since }),
    ...(app.metadata.creationTimestamp !== undefined && { createdAt: app.metadata.creationTimestamp }),
  };
}

export function subjectOf({ apiVersion, kind, metadata, spec }: CfApp): Subject {
  const { displayName: title } = spec;
  return {
    family: 'cloudfoundry',
    apiVersion,
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    ...(title !== '' && { title }),
  };
}

/** What the deployment cannot get over by itself, or `undefined`. */
export function stuckOn({ situation, trouble }: AppStanding): string | undefined {
  if (situation.is === 'without-droplet') return trouble?.message ?? 'No droplet is assigned.';
  const hopeless =
    trouble?.reason === 'CannotResolveCurrentDropletRef' || /does not come up/.test(trouble?.message ?? '');
  return hopeless ? trouble?.message : undefined;
}

function phaseOf(standing: AppStanding): Phase {
  const { situation, serves, paused } = standing;
  if (situation.is === 'deleting') return 'deleting';
  if (paused) return 'paused';
  const stuck = stuckOn(standing) !== undefined;
  switch (situation.is) {
    case 'stopped':
      return 'suspended';
    case 'running':
      return 'healthy';
    case 'canary':
      return 'waiting';
    case 'without-droplet':
      return 'failed';
    case 'stopping':
      return 'progressing';
    case 'starting':
    case 'rolling':
    case 'returning':
      return stuck ? (serves ? 'degraded' : 'failed') : 'progressing';
  }
}

/** The state that was asked for and, during a deployment, Cloud Foundry's word for how it stands. */
function stateOf({ app, situation }: AppStanding): string {
  const word = { rolling: 'DEPLOYING', canary: 'PAUSED', returning: 'CANCELING' } as const;
  const { desiredState } = app.spec;
  return situation.is in word ? `${desiredState} ${word[situation.is as keyof typeof word]}` : desiredState;
}

/** What a process says while nothing is wrong: a headline about a change says that already. */
const notYet = /^\S+ Revision \d+ does not run on all instances yet\.$/;

function headlineOf({ situation, appRev, before, trouble, paused }: AppStanding): string {
  const told = trouble && !notYet.test(trouble.message) ? ` ${trouble.message}` : '';
  if (paused && situation.is !== 'deleting') return 'Paused: the operator leaves it alone until it is resumed.';
  switch (situation.is) {
    case 'deleting':
      return 'It is being deleted; its instances end.';
    case 'stopped':
      return 'Stopped.';
    case 'stopping':
      return 'It is being stopped; its instances end.';
    case 'without-droplet':
      return `It cannot run.${told}`;
    case 'running':
      return `Revision ${appRev} runs on all instances.`;
    case 'starting':
      return `Revision ${appRev} is being started.${told}`;
    case 'rolling':
      return `Revision ${appRev} replaces ${before === undefined ? 'nothing' : `revision ${before}`}, instance by instance.${told}`;
    case 'canary':
      return `A canary of revision ${appRev} runs and waits for somebody to continue or cancel it.`;
    case 'returning':
      return `The deployment of revision ${situation.mark.appRev} was canceled; instances go back to revision ${appRev}.`;
  }
}

function servingOf({ situation, serves, appRev, before }: AppStanding): string {
  if (!serves) return 'nothing';
  if (situation.is === 'rolling' || situation.is === 'canary') {
    return before === undefined ? `revision ${appRev}` : `revisions ${before} and ${appRev}`;
  }
  if (situation.is === 'returning') return `revisions ${appRev} and ${situation.mark.appRev}`;
  return `revision ${appRev}`;
}

function neededFor(standing: AppStanding): string | undefined {
  const { situation } = standing;
  if (situation.is === 'canary') return 'The canary waits: promote or abort it.';
  const stuck = stuckOn(standing);
  if (stuck === undefined || situation.is === 'deleting') return undefined;
  return situation.is === 'rolling' ? `${stuck} Abort it to go back, or push a version that starts.` : stuck;
}
