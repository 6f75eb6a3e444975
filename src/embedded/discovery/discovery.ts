import { createHash } from 'node:crypto';
import type { ServedResource } from '../resource.ts';
import { aggregated } from './aggregated.ts';
import { builtInDocument, builtInDocuments } from './built-in.ts';
import { customDocument, customHash } from './custom-document.ts';
import { type Group, type GroupVersion, groupsOf } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.ts';
import { version } from './version.ts';

export interface DiscoveryOptions {
  /** Everything that is served now. The same array as long as nothing changes spares work. */
  resources(): readonly ServedResource[];
  /** `host:port` at which clients reach the server; read anew for every answer. */
  readonly address: string;
}

/** An answer to send as it is. */
export interface DiscoveryAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface Discovery {
  /**
   * Answers a GET of `/api`, `/apis`, groups, versions, `/version` and `/openapi/v3`. `undefined` when the path is
   * none of discovery's, or of a group or version that does not exist.
   */
  handle(path: string, accept?: string): Promise<DiscoveryAnswer | undefined>;
}

/** Tells clients what is served here. */
export function discovery(options: DiscoveryOptions): Discovery {
  let seen: readonly ServedResource[] | undefined;
  let groups: readonly Group[] = [];
  const current = (): readonly Group[] => {
    const now = options.resources();
    if (now !== seen) groups = groupsOf(now);
    seen = now;
    return groups;
  };
  const named = (name: string): Group | undefined => current().find((group) => group.name === name);

  const documentOf = async (path: string): Promise<string | Uint8Array | undefined> => {
    const builtIn = await builtInDocument(path);
    if (builtIn) return builtIn;
    const [, name, wanted] = /^apis\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const group = named(name ?? '')?.versions.find((each) => each.version === wanted);
    return name && group ? customDocument(name, group) : undefined;
  };

  return {
    async handle(path, accept = '') {
      const parts = path.split('/').filter((part) => part !== '');
      const [root, first, second] = parts;
      if (root === 'version' && parts.length === 1) return json(version);
      if (root === 'api' && parts.length === 1) {
        const core = named('');
        return wantsAggregated(accept)
          ? aggregatedAnswer(core ? [core] : [])
          : json(apiVersions(core, options.address));
      }
      if (root === 'apis' && parts.length === 1) {
        const others = current().filter((group) => group.name !== '');
        return wantsAggregated(accept) ? aggregatedAnswer(others) : json(apiGroupList(others));
      }
      if (root === 'api' && parts.length === 2) return resourceList(named(''), first);
      if (root === 'apis' && parts.length === 2) {
        const group = named(first ?? '');
        return group && json(apiGroup(group));
      }
      if (root === 'apis' && parts.length === 3) return resourceList(named(first ?? ''), second);
      if (root !== 'openapi' || first !== 'v3') return undefined;
      if (parts.length === 2) return json({ paths: indexOf(current()) });
      const document = await documentOf(parts.slice(2).join('/'));
      return document === undefined ? undefined : json(document);
    },
  };
}

function resourceList(group: Group | undefined, wanted: string | undefined): DiscoveryAnswer | undefined {
  const found = group?.versions.find((each) => each.version === wanted);
  return group && found && json(apiResourceList(group.name, found));
}

/** The paths of all OpenAPI documents. The hash in each lets clients keep a document until it changes. */
function indexOf(groups: readonly Group[]): Record<string, { readonly serverRelativeURL: string }> {
  const builtIn = builtInDocuments();
  const index: Record<string, { readonly serverRelativeURL: string }> = {};
  const add = (path: string, hash: string): void => {
    index[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
  };
  const pathOf = (group: Group, each: GroupVersion): string =>
    group.name === '' ? `api/${each.version}` : `apis/${group.name}/${each.version}`;
  for (const group of groups) {
    for (const each of group.versions) {
      const path = pathOf(group, each);
      add(path, builtIn.get(path) ?? customHash(each));
    }
  }
  return index;
}

/**
 * Whether one of the forms in `Accept` is the aggregated one, in the version that today's server has. Clients that
 * know only its beta are answered in the old form, as the real server does since 1.37.
 */
function wantsAggregated(accept: string): boolean {
  return accept.split(',').some((clause) => {
    const parameters = clause.split(';').map((part) => part.trim());
    return (
      parameters[0] === 'application/json' &&
      parameters.includes('g=apidiscovery.k8s.io') &&
      parameters.includes('v=v2') &&
      parameters.includes('as=APIGroupDiscoveryList')
    );
  });
}

function aggregatedAnswer(groups: readonly Group[]): DiscoveryAnswer {
  const body = JSON.stringify(aggregated(groups));
  return {
    status: 200,
    headers: {
      'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
      etag: `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`,
      vary: 'Accept',
    },
    body,
  };
}

function json(body: unknown): DiscoveryAnswer {
  const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  return { status: 200, headers: { 'content-type': 'application/json', vary: 'Accept' }, body: text };
}
