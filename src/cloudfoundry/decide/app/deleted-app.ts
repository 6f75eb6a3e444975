import { type Decision, idle, type PatchAction, refTo } from '../../../control/decision.ts';
import { removeFinalizer } from '../../../control/finalizers.ts';
import type { Json } from '../../../kube/object.ts';
import { finalizers } from '../../keys.ts';
import type { CfAppView } from '../../observe/cf-app-view.ts';
import type { CfRoute } from '../../resources/cf-route.ts';
import { furnished } from '../furnished.ts';

/**
 * The end of an app: first no route leads to it any more, then it goes, and all that it owns goes after it. What names it and was
 * given no owner yet is given it now, for afterwards nobody could: it would stay for ever. The finalizer comes last, so whatever
 * fails before is done again.
 */
export function deletedApp({ app, routes, unowned = [] }: CfAppView): Decision {
  const guid = app.metadata.name ?? '';
  const unmapped = routes.flatMap((route) => withoutApp(route, guid) ?? []);
  const release = removeFinalizer(app, finalizers.app);
  if (!release) return idle('the app is being deleted, and others still hold it');
  const claimed = unowned.flatMap((object) => furnished(object, { owner: { object: app } }) ?? []);
  return {
    actions: [...unmapped, ...claimed, release],
    because: 'the app is being deleted: no route leads to it any more',
  };
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
