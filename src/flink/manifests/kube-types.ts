import type { ResourceRequirements } from '../resources/pod-template.ts';

/** The container in which Flink runs; others in the template run beside it. */
export const mainContainer = 'flink-main-container';

/** As much of a pod template as is worked on here; everything else is passed on. */
export interface Template {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [field: string]: unknown;
  };
  readonly spec?: PodSpec;
}

export interface PodSpec {
  readonly containers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Readonly<Record<string, unknown>>[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly dnsPolicy?: string;
  readonly [field: string]: unknown;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly args?: readonly string[];
  readonly env?: readonly Variable[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly Mount[];
  readonly [field: string]: unknown;
}

export interface Variable {
  readonly name: string;
  readonly [field: string]: unknown;
}

export interface Volume {
  readonly name: string;
  readonly [source: string]: unknown;
}

export interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly [field: string]: unknown;
}

/** A volume, and where the main container finds it. */
export interface Mounted {
  readonly volume: Volume;
  readonly mountPath: string;
}
