import type { Clock } from '../../clock/clock.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Attributes, Authorizer, User } from '../gate.ts';
import type { Draft } from '../resource.ts';
import { invalidValue } from '../schema/field-error.ts';
import { badRequest, type FieldError, invalid } from '../status-error.ts';
import { at, list, type Node, record, text } from '../table/fields.ts';
import { timestamp } from '../timestamp.ts';
import type { Gatekeeper } from './authenticator.ts';
import type { Rbac } from './rbac.ts';

export interface ReviewOptions {
  readonly gatekeeper: Pick<Gatekeeper, 'review'>;
  /** Who says whether someone may: RBAC, or what is asked before it. */
  readonly authorizer: Authorizer;
  readonly rbac: Pick<Rbac, 'permissions'>;
  readonly clock: Clock;
}

type Asked = { readonly user: User; readonly namespace: string };
type Review = { create(call: Asked, draft: Draft): Promise<AnyObject> };

/**
 * Questions to the gates themselves, by the plural of their resource: they are answered and not stored.
 * @throws StatusError 400, 422
 */
export function reviews({ gatekeeper, authorizer, rbac, clock }: ReviewOptions): Readonly<Record<string, Review>> {
  const answer = (draft: Draft, status: unknown, spec: unknown = draft.spec): AnyObject => ({
    kind: draft.kind,
    apiVersion: draft.apiVersion,
    metadata: draft.metadata,
    spec,
    status,
  });
  const access = (draft: Draft, user: User): AnyObject => {
    const { allowed, reason } = authorizer.authorize(attributesOf(draft, user));
    return answer(draft, { allowed, ...(reason && { reason }) });
  };

  return {
    tokenreviews: {
      async create(_, draft) {
        const token = text(draft, 'spec.token');
        if (!token) throw badRequest('token is required for TokenReview in authentication');
        const audiences = list(draft, 'spec.audiences').map(String);
        const verdict = gatekeeper.review(token, audiences.length > 0 ? audiences : undefined);
        if ('error' in verdict) return answer(draft, { user: {}, error: verdict.error });
        return answer(draft, { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences });
      },
    },
    selfsubjectreviews: {
      create: async ({ user }, draft) => ({
        kind: draft.kind,
        apiVersion: draft.apiVersion,
        metadata: { creationTimestamp: timestamp(clock.now()) },
        status: { userInfo: userInfo(user) },
      }),
    },
    selfsubjectaccessreviews: {
      async create({ user }, draft) {
        refuse(draft, attributeErrors(draft));
        return access(draft, user);
      },
    },
    subjectaccessreviews: {
      async create(_, draft) {
        refuse(draft, [...attributeErrors(draft), ...subjectErrors(draft)]);
        return access(draft, subjectOf(draft));
      },
    },
    localsubjectaccessreviews: {
      async create({ namespace }, draft) {
        const given = text(draft, 'spec.resourceAttributes.namespace');
        const wrong: FieldError[] = [...attributeErrors(draft), ...subjectErrors(draft)];
        if (given !== namespace) {
          wrong.push(invalidValue('spec.resourceAttributes.namespace', given, 'must match metadata.namespace'));
        }
        refuse(draft, wrong);
        return access({ ...draft, metadata: { ...draft.metadata, namespace } }, subjectOf(draft));
      },
    },
    selfsubjectrulesreviews: {
      async create({ user }, draft) {
        const namespace = text(draft, 'spec.namespace');
        if (!namespace) throw badRequest('no namespace on request');
        const { rules, errors } = rbac.permissions(user, namespace);
        const status = {
          resourceRules: rules
            .filter((rule) => (rule.resources ?? []).length > 0)
            .map(({ verbs, apiGroups, resources, resourceNames }) => ({ verbs, apiGroups, resources, resourceNames })),
          nonResourceRules: rules
            .filter((rule) => (rule.nonResourceURLs ?? []).length > 0)
            .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
          incomplete: errors.length > 0,
          ...(errors.length > 0 && { evaluationError: errors.join(', ') }),
        };
        return answer(draft, status, {});
      },
    },
  };
}

function userInfo({ name, uid, groups, extra }: User) {
  return { username: name, ...(uid && { uid }), groups, ...(extra && { extra }) };
}

function subjectOf(draft: Draft): User {
  const uid = text(draft, 'spec.uid');
  const extra = record(draft, 'spec.extra') as Readonly<Record<string, readonly string[]>>;
  return {
    name: text(draft, 'spec.user'),
    ...(uid && { uid }),
    groups: list(draft, 'spec.groups').map(String),
    extra,
  };
}

function attributesOf(draft: Draft, user: User): Attributes {
  const path = at(draft, 'spec.nonResourceAttributes') as Node | undefined;
  if (path) return { user, verb: text(path, 'verb'), path: text(path, 'path') };
  const asked = record(draft, 'spec.resourceAttributes');
  const subresource = text(asked, 'subresource');
  const namespace = text(asked, 'namespace');
  const name = text(asked, 'name');
  return {
    user,
    verb: text(asked, 'verb'),
    resource: {
      group: text(asked, 'group'),
      version: text(asked, 'version'),
      plural: text(asked, 'resource'),
      ...(subresource && { subresource }),
      ...(namespace && { namespace }),
      ...(name && { name }),
    },
  };
}

function attributeErrors(draft: Draft): readonly FieldError[] {
  const given = [at(draft, 'spec.resourceAttributes'), at(draft, 'spec.nonResourceAttributes')].filter(Boolean);
  if (given.length === 1) return [];
  const why =
    given.length === 0
      ? 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
      : 'cannot be specified in combination with resourceAttributes';
  const field = given.length === 0 ? 'spec' : 'spec.nonResourceAttributes';
  return [invalidValue(field, null, why)];
}

function subjectErrors(draft: Draft): readonly FieldError[] {
  if (text(draft, 'spec.user') || list(draft, 'spec.groups').length > 0) return [];
  return [invalidValue('spec.user', '', 'at least one of user or group must be specified')];
}

function refuse(draft: Draft, wrong: readonly FieldError[]): void {
  if (wrong.length > 0) throw invalid('authorization.k8s.io', draft.kind, '', wrong);
}
