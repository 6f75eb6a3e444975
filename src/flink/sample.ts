import { blueGreenSample } from './blue-green-sample.ts';

/** Something to play with: small, stateful, with edits worth trying written beside it. */
export interface FlinkSample {
  /** The name of the file that it is written to. */
  readonly file: string;
  /** What it is, as the beginning of a sentence. */
  readonly what: string;
  readonly manifest: string;
  /** What to change in it, and what that shows. */
  readonly edits: readonly (readonly [edit: string, effect: string])[];
  /** What shows or changes it, for whoever has `kubectl`; with comments. */
  readonly commands: readonly string[];
}

/** A job that counts, and what it needs to run in native mode. */
export const sampleManifest = `# A Flink job that counts records per key. Edit and save: Cutover applies this file each time.
apiVersion: flink.apache.org/v1beta1
kind: FlinkDeployment
metadata:
  name: counter
  namespace: default
spec:
  image: flink:2.3
  flinkVersion: v2_3
  serviceAccount: flink
  flinkConfiguration:
    taskmanager.numberOfTaskSlots: "2"
    state.checkpoints.dir: s3://sample/checkpoints
    state.savepoints.dir: s3://sample/savepoints
  jobManager:
    resource: { memory: 1g, cpu: 0.5 }
  taskManager:
    resource: { memory: 1g, cpu: 0.5 }
  job:
    jarURI: local:///opt/flink/usrlib/counter.jar
    args: [--rate, "10", --keys, "4"]
    parallelism: 2          # try 4: the job is stopped with a savepoint and goes on from it
    upgradeMode: savepoint  # or last-state, or stateless
    state: running          # try suspended, then running again
    # statelessRedeployNonce: 1   # take the # away: starts over, empty, whatever the upgrade mode says
---
# In native mode the JobManager makes its TaskManagers itself; this lets it.
apiVersion: v1
kind: ServiceAccount
metadata: { name: flink, namespace: default }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: flink, namespace: default }
rules:
  - apiGroups: [""]
    resources: [pods, configmaps]
    verbs: ["*"]
  - apiGroups: [apps]
    resources: [deployments, deployments/finalizers]
    verbs: ["*"]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: flink, namespace: default }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: flink }
subjects:
  - { kind: ServiceAccount, name: flink, namespace: default }
`;

const counterSample: FlinkSample = {
  file: 'sample.yaml',
  what: 'A Flink job that counts',
  manifest: sampleManifest,
  edits: [
    ['parallelism: 4', 'the job is stopped with a savepoint, and goes on counting from it'],
    ['state: suspended', 'the job is stopped and its cluster is put away; running brings it back'],
    ['statelessRedeployNonce: 1', 'the job starts over, empty; a warning says where its old state lies'],
  ],
  commands: [
    'kubectl get flinkdeployments --watch',
    'kubectl get flinkstatesnapshots',
    'kubectl describe flinkdeployment counter',
  ],
};

/** The first one stands for itself; those after it use what it makes. */
export const samples: readonly [FlinkSample, ...FlinkSample[]] = [counterSample, blueGreenSample];
