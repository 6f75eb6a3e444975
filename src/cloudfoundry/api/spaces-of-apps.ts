import { cfApp } from '../resources/cf-app.ts';
import type { Caller, Platform } from './platform.ts';

/** Past this, looking for each app costs more than looking into every space. */
const worthLooking = 5;

/**
 * The spaces that apps are in, so that a list for a few apps looks into few spaces. `undefined`: into all of them.
 * It says nothing about what the caller may see there.
 */
export async function spacesOfApps(
  { directory }: Pick<Platform, 'directory'>,
  caller: Caller,
  apps: readonly string[] | undefined,
): Promise<readonly string[] | undefined> {
  if (!apps || apps.length > worthLooking) return undefined;
  const found = await Promise.all(apps.map((guid) => directory.namespaceOf(cfApp.type, guid, caller)));
  return [...new Set(found.filter((space) => space !== undefined))];
}
