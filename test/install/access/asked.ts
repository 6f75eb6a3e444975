import { resourceAttributes } from '../../../src/embedded/http/admitted.ts';
import { targetOf } from '../../../src/embedded/http/target.ts';
import { verbOf } from '../../../src/embedded/http/verb-of.ts';
import type { Request } from '../../../src/kube/transport.ts';

/** A request in the words of RBAC. */
export interface Asked {
  readonly verb: string;
  readonly group: string;
  /** With the subresource: `pods/exec`. */
  readonly resource: string;
  /** Empty: in the whole cluster, or of a kind that is in no namespace. */
  readonly namespace: string;
  /** Empty: all of them, or one that has no name yet. */
  readonly name: string;
}

/** What a request asks for; nothing where it is about no resource: discovery, versions, health. */
export function askedOf({ method, path, headers = {} }: Request): readonly Asked[] {
  const [way = '', query] = path.split('?');
  const target = targetOf(way);
  if (target.type === 'path') return [];
  const chosen = new URLSearchParams(query);
  const { verb, resource } = resourceAttributes(
    { name: '', groups: [] },
    verbOf(method, target, chosen),
    target,
    chosen,
  );
  if (!resource) return [];
  const { group, plural, subresource, namespace = '', name = '' } = resource;
  const asked = { verb, group, resource: subresource ? `${plural}/${subresource}` : plural, namespace, name };
  // An apply may have to create what it is about; then the server asks for that right as well.
  const applies = method === 'PATCH' && headers['content-type']?.includes('apply-patch');
  return applies ? [asked, { ...asked, verb: 'create', name: '' }] : [asked];
}
