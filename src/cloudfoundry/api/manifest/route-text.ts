import { isDnsName, isPath } from '../../route-address.ts';

/** A domain as far as finding a route's parts needs it. */
export interface NamedDomain {
  readonly guid: string;
  readonly name: string;
}

/** What `www.example.com/path` means where `example.com` is a domain. */
export interface RouteParts {
  readonly host: string;
  readonly domain: NamedDomain;
  readonly path: string;
}

/** What a route may look like at all: labels of a host name, a path without query. */
const shape =
  /^(?:https?:\/\/)?((?:\*\.)?[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+)(\/[^\s?#]*)?$/i;

export const notARoute = 'is not a route: it must be a host name with a domain, and may have a path';

/** Whether a text can be a route: one that the controller would refuse for ever cannot. */
export function isRouteText(text: string): boolean {
  if (text.length > 512) return false;
  const [, fqdn, path = ''] = shape.exec(text) ?? [];
  return fqdn !== undefined && isDnsName(fqdn.replace(/^\*\./, '')) && (path === '' || path === '/' || isPath(path));
}

/**
 * The host, domain and path of a route. The longest domain that fits wins: with `example.com` and `apps.example.com`,
 * `a.apps.example.com` is host `a` of the second. `undefined`: no domain fits.
 */
export function routeParts(text: string, domains: readonly NamedDomain[]): RouteParts | undefined {
  const [, fqdn = '', path = ''] = shape.exec(text) ?? [];
  const name = fqdn.toLowerCase();
  const fitting = domains
    .filter((domain) => name === domain.name.toLowerCase() || name.endsWith(`.${domain.name.toLowerCase()}`))
    .sort((a, b) => b.name.length - a.name.length);
  const [domain] = fitting;
  if (!domain) return undefined;
  return {
    host: name.slice(0, Math.max(0, name.length - domain.name.length - 1)),
    domain,
    path: path === '/' ? '' : path,
  };
}

/** `www.example.com/path`, as routes are compared and shown. */
export function routeUrl(route: { readonly host: string; readonly domain: string; readonly path: string }): string {
  return `${route.host === '' ? '' : `${route.host}.`}${route.domain}${route.path}`;
}

/** The host of an app's own route: what of its name a host can hold. */
export function hostOf(appName: string): string {
  const host = appName
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/[^-a-z0-9]/g, '')
    .replace(/^-+|-+$/g, '');
  return host.slice(0, 63).replace(/-+$/, '');
}
