import type { AnyObject } from '../../kube/object.ts';
import type { Cluster } from '../auth/cluster.ts';
import type { LabelSelector } from '../kinds/objects/condition.ts';

/** Which requests a webhook wants to see. */
export interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  /** `pods`, `pods/status`, `*`, `*\/*`, `pods/*`, `*\/scale`. */
  readonly resources?: readonly string[];
  readonly scope?: string;
}

/** A webhook as its configuration describes it; what the configuration leaves out is already filled in there. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
    /** PEM, in base64. */
    readonly caBundle?: string;
  };
  readonly rules?: readonly Rule[];
  readonly failurePolicy?: 'Fail' | 'Ignore';
  readonly matchPolicy?: 'Exact' | 'Equivalent';
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded';
}

/** All webhooks of one sort, in the order in which they are called: by configuration name, then as listed. */
export function webhooksOf(cluster: Cluster, sort: 'mutating' | 'validating'): readonly Webhook[] {
  const configurations = cluster.all('admissionregistration.k8s.io', `${sort}webhookconfigurations`);
  if (configurations.length === 0) return [];
  const nameOf = (object: AnyObject): string => object.metadata.name ?? '';
  return configurations
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .flatMap((configuration) => (configuration.webhooks ?? []) as readonly Webhook[]);
}
