/** Labels, annotations and names of KUDO's objects: the published ones, and a few of our own. */

export const group = 'kudo.dev';

export const labels = {
  /** On everything that a plan makes; its value is always `kudo`. */
  heritage: 'heritage',
  /** The name of the Operator. */
  operator: 'kudo.dev/operator',
  /** The name of the Instance. */
  instance: 'kudo.dev/instance',
} as const;

/** The value of `labels.heritage`. */
export const heritage = 'kudo';

export const annotations = {
  plan: 'kudo.dev/plan',
  phase: 'kudo.dev/phase',
  step: 'kudo.dev/step',
  operatorVersion: 'kudo.dev/operator-version',
  /** On the object itself: the execution that applied it last. On a pod template: the execution that demanded its restart. */
  planUid: 'kudo.dev/last-plan-execution-uid',
  /** On a pod template: what the ConfigMaps and Secrets of its volumes hold, as KUDO 0.13 and later compute it. */
  dependenciesHash: 'kudo.dev/dependencies-hash',
  /** On a pod template: the same for references that KUDO's hash leaves out (env, envFrom, projected volumes). */
  referencesHash: 'kudo.cutover.dev/references-hash',
  /** On the object itself: the hashes that its pods were last started with, as `<dependencies>/<references>`. */
  hashBaseline: 'kudo.cutover.dev/hash-baseline',
  /** On a ConfigMap or Secret, with any value: its content does not count. */
  skipHash: 'kudo.dev/skip-hash-calculation',
  /** On a Secret, in place of `lastApplied`, which would tell what it holds: what it counts for in `dependenciesHash`. */
  contentHash: 'kudo.cutover.dev/content-hash',
  /** On an object of the cluster: the namespace of the Instance that holds it. Its owner cannot say it, for it has none. */
  namespace: 'kudo.cutover.dev/namespace',
  /** What was applied, so that KUDO could go on with the object, and so that drift is seen. */
  lastApplied: 'kudo.dev/last-applied-configuration',
  /** On the pod of a Pipe task. */
  pipePod: 'kudo.dev/pipepod',
  /** On what a Pipe task makes: the uid of the pod that it is from. */
  fromPod: 'kudo.cutover.dev/from-pod',
} as const;

/** The annotations of a pod template that KUDO or we ever wrote: a quiet execution leaves them as they are. */
export const nestedAnnotations = [
  annotations.plan,
  annotations.phase,
  annotations.step,
  annotations.operatorVersion,
  annotations.planUid,
  annotations.dependenciesHash,
  annotations.referencesHash,
] as const;

/** Keeps a deleted Instance until its `cleanup` plan has run. */
export const cleanupFinalizer = 'kudo.dev.instance.cleanup';

/** The field manager of everything that plans apply. What we write on Instances ourselves has another one. */
export const planManager = 'cutover-kudo';

/** As KUDO's own manager and command line write objects. */
export const kudoManagers = ['kudo-manager', 'manager', 'kubectl-kudo'] as const;

/** Plans that have a meaning of their own. */
export const specialPlans = { deploy: 'deploy', update: 'update', upgrade: 'upgrade', cleanup: 'cleanup' } as const;
