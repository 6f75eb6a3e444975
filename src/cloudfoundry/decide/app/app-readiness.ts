import type { Reason } from '../../../control/decision.ts';
import type { CfAppView } from '../../observe/cf-app-view.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import { revisionsOf } from '../../revision.ts';
import { isReady, type Readiness } from '../conclude.ts';
import { isPrepared } from './prepared-revision.ts';

/**
 * Whether the app is as it should be: the wanted revision runs on all wanted instances, none when none are wanted, and a
 * stopped app has nothing left. In the published order of reasons.
 */
export function appReadiness(view: CfAppView): Readiness {
  const { app, workloads, processes } = view;
  const unresolved = dropletTrouble(view);
  if (unresolved) return unresolved;
  const running = processes.reduce((sum, { status }) => sum + (status?.actualInstances ?? 0), 0);
  if (app.spec.desiredState === 'STOPPED') {
    if (running === 0 && workloads.length === 0) return { ready: true };
    return notReady('DesiredStateNotReached', 'The app is being stopped; its instances are ending.');
  }
  if (!isPrepared(view)) return notReady('ProcessesNotReady', preparing(view));
  const unseen = unseenTypes(view);
  if (unseen.length > 0) {
    return notReady('ProcessesNotReady', `${unseen.join(', ')}: There is no process yet${because(view)}.`);
  }
  const behind = processes.filter((process) => !runs(process, view));
  if (behind.length === 0) return { ready: true };
  const told = behind.map((process) => `${process.spec.processType}: ${messageOf(process, view)}`).join(' ');
  return running === 0
    ? notReady('DesiredStateNotReached', `No instance runs yet. ${told}`)
    : notReady('ProcessesNotReady', told);
}

function dropletTrouble({ app, droplet }: CfAppView): Readiness | undefined {
  const name = app.spec.currentDropletRef?.name;
  if (!name) {
    return notReady(
      'DropletNotAssigned',
      'No droplet is assigned: spec.currentDropletRef names none. Push the app, or stage a package and make its droplet the current one.',
    );
  }
  if (droplet?.processTypes) return undefined;
  const useless = !droplet
    ? `There is no CFBuild ${name} in this space.`
    : droplet.appGuid !== app.metadata.name
      ? `CFBuild ${name} is of another app.`
      : droplet.state === 'FAILED'
        ? `Staging of CFBuild ${name} failed.`
        : undefined;
  const message = useless
    ? `${useless} Make a droplet of this app the current one; what runs meanwhile is left alone.`
    : `CFBuild ${name} is not staged yet. The app goes on when it is.`;
  return notReady('CannotResolveCurrentDropletRef', message);
}

/** What stands in the way of the wanted revision, as far as it is known. */
function preparing({ app, env, outcomes }: CfAppView): string {
  const begin = `Revision ${revisionsOf(app).appRev} is being prepared`;
  if (env?.is === 'absent') {
    return `${begin}: there is no Secret ${env.secret}, which spec.envSecretName names. Create it, or name none.`;
  }
  if (env?.is === 'unreadable') return `${begin}: Secret ${env.secret} cannot be read: ${env.message}`;
  return `${begin}${because({ outcomes })}.`;
}

/** What the API server refused, as an end of a sentence. */
function because({ outcomes }: Pick<CfAppView, 'outcomes'>): string {
  const refused = Object.values(outcomes).find(({ result }) => result === 'refused');
  return refused?.result === 'refused' ? `: ${refused.message.replace(/\.$/, '')}` : '';
}

/** Of what is not seen nobody knows whether it runs: it is being made, or a cache does not show it. */
function unseenTypes({ droplet, processes }: CfAppView): readonly string[] {
  const seen = new Set(processes.map(({ spec }) => spec.processType));
  return (droplet?.processTypes ?? []).map(({ type }) => type).filter((type) => !seen.has(type));
}

/** What a process says counts only of the revision that is wanted. */
function runs(process: CfProcess, { app }: CfAppView): boolean {
  return isReady(process) && process.status?.observedAppRev === String(revisionsOf(app).appRev);
}

/** How far a process has come changes with every instance, and is told there; here stands what does not change by itself. */
function messageOf(process: CfProcess, { app, workloads }: CfAppView): string {
  const { appRev } = revisionsOf(app);
  const error = workloads.find(({ processGuid }) => processGuid === process.metadata.name)?.error;
  if (error !== undefined) return `Revision ${appRev} does not come up: ${error}`;
  const told = process.status?.conditions?.find(({ type }) => type === 'Ready');
  if (told?.status === 'False' && told.reason !== 'AppWorkloadsNotReady') return told.message;
  return `Revision ${appRev} does not run on all instances yet.`;
}

function notReady(reason: Reason, message: string): Readiness {
  return { ready: false, reason, message };
}
