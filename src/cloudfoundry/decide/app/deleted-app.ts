import {
  type Action,
  type Decision,
  type EventAction,
  idle,
  type PatchAction,
  refTo,
} from '../../../control/decision.ts';
import { removeFinalizer } from '../../../control/finalizers.ts';
import type { Json } from '../../../kube/object.ts';
import { finalizers } from '../../keys.ts';
import type { CfAppView } from '../../observe/cf-app-view.ts';
import type { CfRoute } from '../../resources/cf-route.ts';
import { furnished } from '../furnished.ts';
import { refusal } from '../refusal.ts';

/**
 * The end of an app: first no route leads to it any more, then it goes, and all that it owns goes after it. What names it and was
 * given no owner yet is given it now, for afterwards nobody could: it would stay for ever. The finalizer comes last, so whatever
 * fails before is done again. What takes no owner keeps no app from going: somebody is told to delete it.
 */
export function deletedApp({ app, routes, unowned = [], outcomes }: CfAppView): Decision {
  const guid = app.metadata.name ?? '';
  const unmapped = routes.flatMap((route) => withoutApp(route, guid) ?? []);
  const release = removeFinalizer(app, finalizers.app);
  if (!release) return idle('the app is being deleted, and others still hold it');
  const claims = unowned.flatMap((object) => furnished(object, { owner: { object: app } }) ?? []);
  const claimed = claims.flatMap((claim): readonly Action[] => {
    const refused = refusal(claim, outcomes);
    return refused?.isFinal ? [leftBehind(claim, guid, refused.why)] : [claim];
  });
  return {
    actions: [...unmapped, ...claimed, release],
    because: 'the app is being deleted: no route leads to it any more',
  };
}

function leftBehind({ of }: PatchAction, guid: string, why: string): EventAction {
  const note = `It stays when its app ${guid} goes, for it could not be made part of it: ${why}. Delete it if it is of no use.`;
  return { do: 'event', about: of, reason: 'LeftBehind', note, warning: true };
}

function withoutApp(route: CfRoute, guid: string): PatchAction | undefined {
  const { destinations = [] } = route.spec;
  const others = destinations.filter(({ appRef }) => appRef?.name !== guid);
  if (others.length === destinations.length) return undefined;
  const path = '/spec/destinations';
  const value = others as unknown as Json;
  return {
    do: 'patch',
    of: refTo(route),
    patch: [others.length === 0 ? { op: 'remove', path } : { op: 'add', path, value }],
  };
}
