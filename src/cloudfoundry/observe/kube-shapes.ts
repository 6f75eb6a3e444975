import type { KubeObject } from '../../kube/object.ts';

/** The parts of Kubernetes' own kinds that are looked at here. What the server sends may lack any of them. */
export interface StatefulSet extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly serviceName?: string;
    readonly podManagementPolicy?: string;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: number | string };
    };
    readonly template?: {
      readonly metadata?: {
        readonly labels?: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
      readonly spec?: Readonly<Record<string, unknown>>;
    };
  };
  readonly status?: {
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly observedGeneration?: number;
  };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

export interface Pod extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly hostIP?: string;
    readonly startTime?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
  };
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly started?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: {
    readonly reason?: string;
    readonly message?: string;
    readonly exitCode?: number;
    readonly finishedAt?: string;
  };
}

export interface Job extends KubeObject {
  readonly status?: {
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly conditions?: readonly Condition[];
  };
}

export interface Service extends KubeObject {
  readonly spec?: {
    readonly selector?: Readonly<Record<string, string>>;
    readonly ports?: readonly { readonly port?: number; readonly targetPort?: number | string }[];
  };
}

export interface HttpRoute extends KubeObject {
  readonly status?: {
    readonly parents?: readonly { readonly conditions?: readonly Condition[] }[];
  };
}

export interface Namespace extends KubeObject {
  readonly status?: { readonly phase?: string };
}

export interface RoleBinding extends KubeObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
}

export interface Subject {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
}

export interface ServiceAccount extends KubeObject {
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
  readonly secrets?: readonly { readonly name?: string }[];
}
