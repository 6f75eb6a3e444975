import type { Clock } from '../../clock/clock.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Draft } from '../resource.ts';
import { invalidValue } from '../schema/field-error.ts';
import { badRequest, conflict, invalid, notFound } from '../status-error.ts';
import { at, count, list, text } from '../table/fields.ts';
import { timestamp } from '../timestamp.ts';
import type { Cluster } from './cluster.ts';
import { type Bound, issuer, type TokenIssuer } from './token-issuer.ts';

interface Options {
  readonly issuer: TokenIssuer;
  readonly cluster: Cluster;
  readonly clock: Clock;
}

/** `serviceaccounts/token`: gives an account a token that ends by itself, or with a pod or secret. */
export function tokenRequest({ issuer: tokens, cluster, clock }: Options) {
  return {
    /** @throws StatusError 404, 409, 422 */
    async create(call: { readonly namespace: string; readonly name: string }, draft: Draft): Promise<AnyObject> {
      const { namespace, name } = call;
      const account = cluster.read('', 'serviceaccounts', namespace, name);
      if (!account) throw notFound({ group: '', plural: 'serviceaccounts', name });
      const seconds = at(draft, 'spec.expirationSeconds') === undefined ? 3600 : count(draft, 'spec.expirationSeconds');
      refuseDuration(seconds);
      const given = list(draft, 'spec.audiences').map(String);
      const audiences = given.length > 0 ? given : [issuer];
      const reference = at(draft, 'spec.boundObjectRef');
      const bound = reference ? boundTo(cluster, account, reference) : undefined;
      const uid = account.metadata.uid ?? '';
      const { token, expires } = tokens.issue({ namespace, name, uid }, audiences, seconds, bound);
      return {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        metadata: { name, namespace, uid, creationTimestamp: timestamp(clock.now()) },
        spec: { audiences, expirationSeconds: seconds, boundObjectRef: reference ?? null },
        status: { token, expirationTimestamp: timestamp(expires) },
      };
    },
  };
}

function refuseDuration(seconds: number): void {
  const why =
    seconds < 600
      ? 'may not specify a duration less than 10 minutes'
      : seconds > 2 ** 32
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined;
  if (!why) return;
  throw invalid('authentication.k8s.io', 'TokenRequest', '', [invalidValue('spec.expirationSeconds', seconds, why)]);
}

const plurals: Readonly<Record<string, string>> = { Pod: 'pods', Secret: 'secrets' };

function boundTo(cluster: Cluster, account: AnyObject, reference: unknown): Bound {
  const kind = text(reference, 'kind');
  const name = text(reference, 'name');
  const plural = text(reference, 'apiVersion') === 'v1' ? plurals[kind] : undefined;
  if (!plural) {
    const version = text(reference, 'apiVersion');
    throw badRequest(`cannot bind token to object of type ${version.includes('/') ? '' : '/'}${version}, Kind=${kind}`);
  }
  const object = cluster.read('', plural, account.metadata.namespace, name);
  if (!object) throw notFound({ group: '', plural, name });
  if (kind === 'Pod' && text(object, 'spec.serviceAccountName') !== account.metadata.name) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account.metadata.name)} to pod running with different serviceaccount name.`,
    );
  }
  const wanted = text(reference, 'uid');
  if (wanted && wanted !== object.metadata.uid) {
    throw conflict(
      { group: '', plural: kind, name },
      `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { kind: kind as Bound['kind'], name, uid: object.metadata.uid ?? '' };
}
