import type { AnyObject } from '../../kube/object.ts';
import { type Controller, itself, type Key } from '../controllers/loop.ts';
import { configMaps, namespaces, secrets, serviceAccounts } from '../kinds/resource-types.ts';
import { text } from '../table/fields.ts';
import type { World } from '../world.ts';
import type { TokenIssuer } from './token-issuer.ts';

const ofNamespace = (object: AnyObject | undefined): Key[] =>
  object ? [{ namespace: '', name: object.metadata.namespace ?? '' }] : [];

/** Gives every namespace its ServiceAccount `default`, and gives it again when someone deletes it. */
export function defaultAccounts(world: World): Controller {
  return {
    name: 'service-account-controller',
    sources: [
      itself(namespaces),
      { type: serviceAccounts, keys: ({ before, after }) => (after ? [] : ofNamespace(before)) },
    ],
    async reconcile({ name: namespace }) {
      if (!active(world, namespace) || world.get(serviceAccounts, namespace, 'default')) return undefined;
      await world.create(serviceAccounts, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace },
      });
      return undefined;
    },
  };
}

/** Puts the cluster's certificate authority into every namespace, where pods mount it: `kube-root-ca.crt`. */
export function rootCertificates(world: World, ca: string): Controller {
  const name = 'kube-root-ca.crt';
  return {
    name: 'root-ca-cert-publisher',
    sources: [
      itself(namespaces),
      {
        type: configMaps,
        keys: ({ before, after }) => ((after ?? before)?.metadata.name === name ? ofNamespace(after ?? before) : []),
      },
    ],
    async reconcile({ name: namespace }) {
      if (!active(world, namespace)) return undefined;
      const data = { 'ca.crt': ca };
      const present = world.get(configMaps, namespace, name);
      if (!present) {
        const metadata = { name, namespace };
        await world.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as AnyObject);
      } else if (JSON.stringify(present.data) !== JSON.stringify(data)) {
        await world.update(configMaps, { ...present, data });
      }
      return undefined;
    },
  };
}

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

function active(world: World, name: string): boolean {
  const namespace = world.get(namespaces, undefined, name);
  return !!namespace && !namespace.metadata.deletionTimestamp;
}
