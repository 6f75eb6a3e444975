import { vcapApplicationSecretName, vcapServicesSecretName } from '../names.ts';

/** A variable whose value stays in its Secret. A type, not an interface: only types fit into JSON. */
export type SecretVariable = {
  readonly name: string;
  readonly valueFrom: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
};

/** The environment that an app has wherever something is done for it: what users set, and what the platform says of it. */
export function appEnvironment(
  appGuid: string,
  env: { readonly secretName: string; readonly names: readonly string[] },
): readonly SecretVariable[] {
  const secrets = new Map(env.names.map((name) => [name, env.secretName]));
  secrets.set('VCAP_APPLICATION', vcapApplicationSecretName(appGuid));
  secrets.set('VCAP_SERVICES', vcapServicesSecretName(appGuid));
  return [...secrets]
    .map(([name, secret]) => ({ name, valueFrom: { secretKeyRef: { name: secret, key: name } } }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
