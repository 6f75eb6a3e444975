import { annotations } from '../../control/annotations.ts';
import type { Sealed } from '../../control/sealed.ts';
import type { AnyObject } from '../../kube/object.ts';
import { labels } from '../keys.ts';
import { revisionSecretName } from '../names.ts';
import type { CfApp } from '../resources/cf-app.ts';
import { ownedBy } from './owned-by.ts';

/**
 * The Secret with the environment of one revision: what users had set when it was first started. It never changes, so an
 * instance that comes back later, or a cancel, finds what the others have.
 *
 * `data` is as the API server has it: base64, sealed.
 */
export function revisionSecret(app: CfApp, appRev: string, data: Readonly<Record<string, Sealed>>): AnyObject {
  const { name: guid = '', namespace = '', uid } = app.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: revisionSecretName(guid, appRev),
      namespace,
      labels: { [labels.appGuid]: guid },
      annotations: { [annotations.id]: `${uid}-env-${appRev}` },
      ownerReferences: [ownedBy(app)],
    },
    type: 'Opaque',
    immutable: true,
    data,
  };
}

/** The revision whose environment a Secret of the app holds, by its name; `undefined` for any other Secret. */
export function revisionOfSecret(appGuid: string, name: string): string | undefined {
  const prefix = revisionSecretName(appGuid, '');
  const appRev = name.slice(prefix.length);
  return name.startsWith(prefix) && /^\d{1,15}$/.test(appRev) ? appRev : undefined;
}
