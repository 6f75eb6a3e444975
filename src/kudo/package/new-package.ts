import { PackageError } from './package-error.ts';

/**
 * The files of a new package: small, complete, valid, and ready to be changed. Its comments say what each part is for, and its
 * parameters show when a change restarts pods and when it does not. Errors: `PackageError` for a name that no object can have.
 */
export function newPackage(name: string): ReadonlyMap<string, string> {
  if (!/^[a-z]([a-z0-9-]{0,40}[a-z0-9])?$/.test(name))
    throw new PackageError(
      `${JSON.stringify(name)} cannot be the name of an operator: it is part of the names of objects, so it has lower case letters, digits and dashes, at most 42, and begins with a letter`,
    );
  return new Map([
    ['operator.yaml', operatorFile(name)],
    ['params.yaml', paramsFile],
    ['templates/config-map.yaml', configMap],
    ['templates/service.yaml', service],
    ['templates/stateful-set.yaml', statefulSet],
  ]);
}

const operatorFile = (name: string) => `# What is installed, and by which plans.
apiVersion: kudo.dev/v1beta1
name: ${name}
description: Says hello, on as many nodes as you like.
# The version of this package. Raise it with every change: an installed version is never changed.
operatorVersion: "0.1.0"
# The version of what it installs.
appVersion: "1.0.0"
kubernetesVersion: "1.25.0"
maintainers: []
# always: a change that restarts pods restarts all of them, which is also so without this line.
# onDependencyChange: only those whose ConfigMaps or Secrets really changed.
restartPolicy: always

# What plans are made of. An Apply task is done when its objects are healthy.
tasks:
  - name: settings
    kind: Apply
    spec:
      resources: [config-map.yaml, service.yaml]
  - name: nodes
    kind: Apply
    spec:
      resources: [stateful-set.yaml]

# deploy installs, and runs after every change of a parameter that names no other plan.
# update, upgrade and cleanup would run after changes, after a new version, and before the deletion.
plans:
  deploy:
    strategy: serial
    phases:
      - name: main
        strategy: serial
        steps:
          - name: settings
            tasks: [settings]
          - name: nodes
            tasks: [nodes]
`;

const paramsFile = `# What people can set. Templates see it as {{ .Params.NAME }}, always as text, unless its type is array or map.
apiVersion: kudo.dev/v1beta1
parameters:
  # Changes the number of pods and nothing in them: those that run go on running.
  - name: NODE_COUNT
    displayName: Nodes
    description: Number of pods.
    type: integer
    # Quoted, for values are text: without quotes a million would be 1e+06.
    default: "2"
    forcePodRestart: false

  # Read when a pod starts. So a change has to restart the pods; that is so for every parameter that does not say otherwise.
  - name: GREETING
    displayName: Greeting
    description: What each pod says.
    default: hello

  # In the pod template itself: Kubernetes restarts the pods by its own rule, and forcePodRestart: false could not prevent it.
  - name: PAUSE_SECONDS
    displayName: Pause
    description: Seconds between two greetings.
    type: integer
    default: "10"

  - name: IMAGE
    displayName: Image
    description: Anything with a shell.
    default: busybox:1.37
`;

const configMap = `# .Name is the name of the Instance: several can live in one namespace.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Name }}-settings
data:
  greeting: {{ .Params.GREETING | quote }}
`;

const service = `apiVersion: v1
kind: Service
metadata:
  name: {{ .Name }}
spec:
  clusterIP: None
  selector:
    app: {{ .Name }}
  ports:
    - name: hello
      port: 7070
`;

const statefulSet = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ .Name }}
spec:
  replicas: {{ .Params.NODE_COUNT }}
  serviceName: {{ .Name }}
  selector:
    matchLabels:
      app: {{ .Name }}
  template:
    metadata:
      labels:
        app: {{ .Name }}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: hello
          image: {{ .Params.IMAGE }}
          env:
            - name: GREETING
              valueFrom:
                configMapKeyRef:
                  name: {{ .Name }}-settings
                  key: greeting
          command:
            - sh
            - -c
            - while true; do echo "$GREETING"; sleep {{ .Params.PAUSE_SECONDS }}; done
`;
