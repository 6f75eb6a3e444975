import type { AnyObject } from '../../kube/object.ts';
import { type Controller, itself } from '../controllers/loop.ts';
import { secrets, serviceAccounts } from '../kinds/resource-types.ts';
import { text } from '../table/fields.ts';
import type { World } from '../world.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** Fills Secrets of type `kubernetes.io/service-account-token` and removes them when their account is gone. */
export function accountSecrets(world: World, issuer: TokenIssuer, ca: string): Controller {
  const accountOf = (secret: AnyObject): string =>
    secret.metadata.annotations?.['kubernetes.io/service-account.name'] ?? '';
  const isToken = (secret: AnyObject): boolean => secret.type === 'kubernetes.io/service-account-token';
  return {
    name: 'token-controller',
    sources: [
      {
        type: secrets,
        keys: ({ after }) => (after && isToken(after) ? itself(secrets).keys({ before: undefined, after }) : []),
      },
      {
        type: serviceAccounts,
        *keys({ before, after }) {
          const { namespace = '', name } = (after ?? before)?.metadata ?? {};
          for (const secret of world.list(secrets, { namespace })) {
            if (isToken(secret) && accountOf(secret) === name) {
              yield { namespace, name: secret.metadata.name ?? '' };
            }
          }
        },
      },
    ],
    async reconcile({ namespace, name }) {
      const secret = world.get(secrets, namespace, name);
      if (!secret || !isToken(secret) || secret.metadata.deletionTimestamp) return undefined;
      const account = world.get(serviceAccounts, namespace, accountOf(secret));
      const uid = account?.metadata.uid;
      const claimed = secret.metadata.annotations?.['kubernetes.io/service-account.uid'];
      if (!uid || (claimed && claimed !== uid)) {
        await world.remove(secrets, secret);
        return undefined;
      }
      const encoded = (value: string): string => Buffer.from(value).toString('base64');
      const token =
        text(secret, 'data.token') || encoded(issuer.issueForSecret({ namespace, name: accountOf(secret), uid }, name));
      const data = { ...(secret.data as object), 'ca.crt': encoded(ca), namespace: encoded(namespace), token };
      const annotations = { ...secret.metadata.annotations, 'kubernetes.io/service-account.uid': uid };
      const wanted = { ...secret, metadata: { ...secret.metadata, annotations }, data };
      if (JSON.stringify(wanted) !== JSON.stringify(secret)) await world.update(secrets, wanted);
      return undefined;
    },
  };
}
