import { stamped } from '../../../control/actions/apply.ts';
import { annotations } from '../../../control/annotations.ts';
import { timestamp } from '../../../control/conditions.ts';
import { type Action, refTo } from '../../../control/decision.ts';
import { newProcess } from '../../manifests/cf-process.ts';
import { isOwnedBy } from '../../manifests/owned-by.ts';
import { revisionSecret } from '../../manifests/revision-secret.ts';
import { vcapSecrets } from '../../manifests/vcap-secrets.ts';
import type { CfAppView } from '../../observe/cf-app-view.ts';
import type { CfProcess } from '../../resources/cf-process.ts';
import { revisionsOf } from '../../revision.ts';
import { createdAt } from '../created-at.ts';

/** All that must be made or changed before the wanted revision can be recorded; empty when nothing is missing. */
export function appParts(view: CfAppView): readonly Action[] {
  return [...missingParts(view), ...missingEnv(view)];
}

/** The same without the Secret of the revision itself. */
export function missingParts(view: CfAppView): readonly Action[] {
  return [...missingVcap(view), ...missingProcesses(view)];
}

/**
 * Of Secrets only metadata is read. The hash that every apply leaves there says whether this very content was applied; one
 * that was edited by hand since is put right when the content next changes.
 */
function missingVcap(view: CfAppView): readonly Action[] {
  const { app, secrets, place, settings, routes } = view;
  const wanted = vcapSecrets(app, {
    uris: [
      ...new Set(routes.flatMap(({ metadata, status }) => (metadata.deletionTimestamp ? [] : (status?.uri ?? [])))),
    ],
    spaceName: place.spaceName ?? '',
    orgGuid: place.orgGuid ?? '',
    orgName: place.orgName ?? '',
    apiUrl: settings.apiUrl,
  });
  return wanted
    .filter((object) => {
      const hash = stamped(object).metadata.annotations?.[annotations.applied];
      const present = secrets.find((secret) => secret.metadata.name === object.metadata.name);
      return !present || !isOwnedBy(present, app) || present.metadata.annotations?.[annotations.applied] !== hash;
    })
    .map((object) => ({ do: 'apply', object }));
}

/** One process for each type that the droplet has, with the command that staging found. Others stay as they are. */
function missingProcesses(view: CfAppView): readonly Action[] {
  const { app, droplet, processes, settings, now } = view;
  const label = createdAt({ metadata: { creationTimestamp: timestamp(now) } }) ?? '';
  return (droplet?.processTypes ?? []).flatMap((wanted): readonly Action[] => {
    const process = processes.find(({ spec }) => spec.processType === wanted.type);
    if (!process) return [{ do: 'create', object: newProcess(app, wanted, settings, label) }];
    return detected(process, wanted.command ?? '');
  });
}

function detected(process: CfProcess, command: string): readonly Action[] {
  const path = '/spec/detectedCommand';
  if ((process.spec.detectedCommand ?? '') === command) return [];
  return [
    {
      do: 'patch',
      of: refTo(process),
      patch: [command === '' ? { op: 'remove', path } : { op: 'add', path, value: command }],
    },
  ];
}

/** The environment as it is now, kept for the revision that is started now. */
function missingEnv({ app, env }: CfAppView): readonly Action[] {
  if (env?.is !== 'current') return [];
  return [{ do: 'create', object: revisionSecret(app, String(revisionsOf(app).appRev), env.data) }];
}
