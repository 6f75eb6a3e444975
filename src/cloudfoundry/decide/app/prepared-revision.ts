import { isOwnedBy } from '../../manifests/owned-by.ts';
import { revisionSecretName } from '../../names.ts';
import type { CfAppView } from '../../observe/cf-app-view.ts';
import type { CfAppStatus } from '../../resources/cf-app.ts';
import { revisionsOf } from '../../revision.ts';
import { missingParts } from './app-parts.ts';

/**
 * The revision to be recorded. A new one only when all that processes will take from it is in place: its environment, the
 * VCAP Secrets, and every process with the command that the droplet says. Until then the one before stays, and runs on.
 */
export function preparedRevision(view: CfAppView): CfAppStatus['revision'] {
  const { app, env, droplet } = view;
  const recorded = app.status?.revision;
  if (app.spec.desiredState !== 'STARTED') return recorded;
  const appRev = String(revisionsOf(app).appRev);
  if (recorded?.appRev === appRev) return hasSecret(view, recorded.envSecretName) ? recorded : undefined;
  const envSecretName = revisionSecretName(app.metadata.name ?? '', appRev);
  const complete = droplet?.processTypes && hasSecret(view, envSecretName) && missingParts(view).length === 0;
  if (env?.is !== 'taken' || !complete) return recorded;
  const current = app.spec.currentDropletRef?.name;
  return { appRev, envSecretName, ...(current && { droplet: current }), envNames: env.names };
}

/** Whether processes may run the revision that is wanted. */
export function isPrepared(view: CfAppView): boolean {
  return preparedRevision(view)?.appRev === String(revisionsOf(view.app).appRev);
}

function hasSecret({ app, secrets }: CfAppView, name: string): boolean {
  return secrets.some((secret) => secret.metadata.name === name && isOwnedBy(secret, app));
}
