/** What whoever installs Cutover decides about the Cloud Foundry family. */
export interface CloudFoundrySettings {
  /** The namespace of organizations, domains and runners. Default `cf`. */
  readonly rootNamespace: string;
  /** The domain of routes that name none; a CFDomain `default-domain` is made for it. */
  readonly defaultDomain: string;
  /** The runner that new workloads are for; ours is `statefulset-runner`. */
  readonly runnerName: string;
  /** The builder that buildpack builds are handed to. Default `kpack-image-builder`. */
  readonly builderName: string;
  /** What a process has when nobody says otherwise. Defaults 1024, 1024, 60. */
  readonly process: { readonly memoryMB: number; readonly diskQuotaMB: number; readonly healthTimeoutSeconds: number };
  readonly runner: RunnerSettings;
  /** The Gateway that HTTPRoutes attach to. Default `korifi` in `korifi-gateway`. */
  readonly gateway: { readonly namespace: string; readonly name: string };
  /** The class of Ingresses where no Gateway API is installed. Absent: the cluster's default class. */
  readonly ingressClass?: string;
  /** Secrets of the root namespace that pull images; they are copied into organizations and spaces. */
  readonly registrySecrets: readonly string[];
  /** How many staged builds and packages of an app are kept. Default 5. */
  readonly retainedBuilds: number;
  readonly retainedPackages: number;
  /** For how long an ended task is kept, in milliseconds. Default 720 h. */
  readonly taskTtlMs: number;
  /** What `creation-version` says: the published version whose objects ours are like, and Cutover's own behind it. */
  readonly version: string;
  /** Where the API is reached from outside, without a slash at the end: `https://api.example`. For VCAP_APPLICATION. */
  readonly apiUrl: string;
}

export interface RunnerSettings {
  /** Default IfNotPresent. */
  readonly imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never';
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly Readonly<Record<string, unknown>>[];
  /** How long an instance that ends still answers, so that whoever sends to it hears of it. Default 5. */
  readonly preStopSeconds: number;
  /** How long it may take to end after that. Default 30. */
  readonly terminationGraceSeconds: number;
}

export const defaultSettings: CloudFoundrySettings = {
  rootNamespace: 'cf',
  defaultDomain: 'apps.example',
  runnerName: 'statefulset-runner',
  builderName: 'kpack-image-builder',
  process: { memoryMB: 1024, diskQuotaMB: 1024, healthTimeoutSeconds: 60 },
  runner: { imagePullPolicy: 'IfNotPresent', preStopSeconds: 5, terminationGraceSeconds: 30 },
  gateway: { namespace: 'korifi-gateway', name: 'korifi' },
  registrySecrets: ['image-registry-credentials'],
  retainedBuilds: 5,
  retainedPackages: 5,
  taskTtlMs: 720 * 3_600_000,
  version: 'v0.18.0+cutover.0.1.0',
  apiUrl: 'https://localhost',
};
