/** One statement about an object, as Kubernetes keeps them in `status.conditions`. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
  readonly lastUpdateTime?: string;
  readonly lastProbeTime?: string | null;
  readonly lastHeartbeatTime?: string;
  readonly observedGeneration?: number;
}

/** Which objects are meant, by their labels. An empty selector means all; none at all means nothing. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** A number, or a share such as `25%`. */
export type IntOrString = number | string;

/** Amounts by resource name: `{ cpu: '500m' }`. */
export type ResourceList = Readonly<Record<string, string>>;

/** An object of which only the name is said. */
export interface LocalReference {
  readonly name?: string;
  readonly optional?: boolean;
}
