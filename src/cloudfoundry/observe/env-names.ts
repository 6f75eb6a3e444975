import type { Client } from '../../kube/client.ts';
import { isKubeError } from '../../kube/error.ts';
import { kinds } from '../../kube/kinds.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { CfApp } from '../resources/cf-app.ts';

/** The variables that users have set for an app: where they are, and what they are called. Never their values. */
export interface EnvNames {
  readonly secretName: string;
  readonly names: readonly string[];
}

interface Secret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Names that a container can have. Others cannot be set by the API, only with kubectl. */
const variable = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

/** A Secret that is not there has none: then there is nothing to be set. */
export async function envNames(client: Client, app: CfApp, signal: AbortSignal): Promise<EnvNames> {
  const secretName = app.spec.envSecretName ?? '';
  if (secretName === '') return { secretName, names: [] };
  const { namespace = '' } = app.metadata;
  try {
    const { data } = await client.resource<Secret>(kinds.secrets).get({ namespace, name: secretName }, { signal });
    return {
      secretName,
      names: Object.keys(data ?? {})
        .filter((name) => variable.test(name))
        .sort(),
    };
  } catch (error) {
    if (isKubeError(error, 'not-found')) return { secretName, names: [] };
    throw error;
  }
}
