import type { KubeObject } from '../../kube/object.ts';
import { type CfOrg, cfOrg } from '../resources/cf-org.ts';
import { type CfSpace, cfSpace } from '../resources/cf-space.ts';
import { badQuery, CfError } from './cf-error.ts';
import { bounded } from './list-as.ts';
import type { CfContext, Platform } from './platform.ts';
import { presentOrganization } from './present/organization.ts';
import { presentSpace } from './present/space.ts';
import { type CfKind, readIn } from './read-as.ts';

const names = ['space', 'org', 'space.organization'];

/**
 * `include=space,org` of a list: the spaces of the objects, and their organizations, each once and read as the caller. What
 * he may not see is left out.
 * @throws CfError 400 for anything else
 */
export async function includeSpaces(
  platform: Platform,
  c: CfContext,
  objects: readonly KubeObject[],
  wanted: readonly string[] | undefined,
): Promise<(shown: readonly KubeObject[]) => object | undefined> {
  if (!wanted || wanted.length === 0) return () => undefined;
  const wrong = wanted.find((name) => !names.includes(name));
  if (wrong !== undefined)
    throw badQuery(`Invalid included resource: '${wrong.slice(0, 40)}'. Valid are: ${names.join(', ')}`);
  const { base, caller } = c.var;
  const used = new Set(objects.map(({ metadata }) => metadata.namespace));
  const refs = platform.directory.spaces(caller).filter(({ guid }) => used.has(guid));
  const read = async <T extends KubeObject>(kind: CfKind, names: readonly { namespace: string; name: string }[]) =>
    (await bounded(names, 8, (name) => readIn<T>(caller, kind, name, kind.type.kind).catch(hidden))).flatMap(
      (one) => one ?? [],
    );
  const withOrgs = wanted.some((name) => name !== 'space');
  const namespace = platform.settings.rootNamespace;
  const [spaces, orgs] = await Promise.all([
    read<CfSpace>(
      cfSpace,
      refs.map(({ guid, orgGuid }) => ({ namespace: orgGuid, name: guid })),
    ),
    withOrgs
      ? read<CfOrg>(
          cfOrg,
          [...new Set(refs.map(({ orgGuid }) => orgGuid))].map((name) => ({ namespace, name })),
        )
      : [],
  ]);

  return (shown) => {
    const here = new Set(shown.map(({ metadata }) => metadata.namespace));
    const theirs = spaces.filter(({ metadata }) => here.has(metadata.name));
    const orgsOf = new Set(theirs.map(({ metadata }) => metadata.namespace));
    return {
      ...(wanted.some((name) => name !== 'org') && { spaces: theirs.map((space) => presentSpace(space, base)) }),
      ...(withOrgs && {
        organizations: orgs
          .filter(({ metadata }) => orgsOf.has(metadata.name))
          .map((org) => presentOrganization(org, base)),
      }),
    };
  };
}

function hidden(error: unknown): undefined {
  if (error instanceof CfError && error.status === 404) return undefined;
  throw error;
}
