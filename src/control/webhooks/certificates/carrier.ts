import type { KubeObject } from '../../../kube/object.ts';
import type { Carrier } from './view.ts';

/** As it is stored; whoever has the right may have written anything into it. */
export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly Webhook[] | null;
}

interface Webhook {
  readonly clientConfig?: {
    readonly url?: string;
    readonly service?: { readonly namespace?: string; readonly name?: string };
    readonly caBundle?: string;
  };
}

/** Which Service is ours. */
export interface ServiceName {
  readonly namespace: string;
  readonly service: string;
}

/** What a configuration makes API servers trust. */
export function carrierOf(kind: Carrier['kind'], object: WebhookConfiguration, service: ServiceName): Carrier {
  const ours = (object.webhooks ?? []).filter((webhook) => isOurs(webhook, service));
  return { kind, bundles: ours.map(({ clientConfig }) => decoded(clientConfig?.caBundle)) };
}

/** The configuration with a bundle in every entry of ours, in the version that was read. */
export function carrying(object: WebhookConfiguration, service: ServiceName, bundle: string): WebhookConfiguration {
  const caBundle = Buffer.from(bundle).toString('base64');
  const webhooks = (object.webhooks ?? []).map((webhook) =>
    isOurs(webhook, service) ? { ...webhook, clientConfig: { ...webhook.clientConfig, caBundle } } : webhook,
  );
  return { ...object, webhooks };
}

/** An entry that goes elsewhere is another's, even in a configuration of ours. One with an address is for where Services end. */
function isOurs(webhook: Webhook | null | undefined, { namespace, service }: ServiceName): boolean {
  const { service: to, url } = webhook?.clientConfig ?? {};
  return to ? to.name === service && to.namespace === namespace : url !== undefined;
}

function decoded(caBundle: unknown): string {
  return typeof caBundle === 'string' ? Buffer.from(caBundle, 'base64').toString('utf8') : '';
}
