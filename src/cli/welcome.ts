/** What `cutover embedded` and `cutover start` tell once the cluster is up. */
export interface Welcome {
  readonly url: string;
  /** Path of the kubeconfig file, as the user would type it. */
  readonly kubeconfig: string;
  readonly version: string;
  /** Where the cluster is kept; absent when it lives in memory. */
  readonly data?: string;
  /** Why the port is not the usual one. */
  readonly note?: string;
  /** What runs in it; absent: nothing yet. */
  readonly sample?: Sample;
}

/** Something that runs and invites to be changed. */
export interface Sample {
  /** The manifest that is applied whenever it is saved. */
  readonly path: string;
  /** What it is, in a few words: `a Flink job that counts`. */
  readonly what: string;
  /** An edit to make in the file, and what it will show. */
  readonly edits: readonly (readonly [edit: string, effect: string])[];
  /** Commands that show it, for whoever has `kubectl`. */
  readonly commands: readonly string[];
}

/** A few friendly lines: where the API is, which kubeconfig to use, what to try, how to stop. */
export function welcome({ url, kubeconfig, version, data, note, sample }: Welcome): string {
  return [
    '',
    `  Cutover ${version}: an embedded Kubernetes${sample ? ' and the operator are' : ' is'} running.`,
    '',
    `  API         ${url}${note ? `  (${note})` : ''}`,
    `  kubeconfig  ${kubeconfig}`,
    `  state       ${data ? `kept in ${data}` : 'in memory, gone when this stops (keep it with --data DIR)'}`,
    '',
    ...(sample ? invitation(sample, kubeconfig) : firstSteps(kubeconfig)),
    '',
    '  Ctrl-C stops it.',
    '',
    '',
  ].join('\n');
}

function firstSteps(kubeconfig: string): string[] {
  return [
    '  Try, in another terminal:',
    '',
    `    export KUBECONFIG=${kubeconfig}`,
    '    kubectl get nodes',
    '    kubectl create deployment hello --image=nginx --replicas=3',
    '    kubectl rollout status deployment/hello',
  ];
}

function invitation({ path, what, edits, commands }: Sample, kubeconfig: string): string[] {
  const width = Math.max(...edits.map(([edit]) => edit.length));
  return [
    `  ${what} is in ${path}.`,
    '  Edit that file and save it; what follows is told here. For example:',
    '',
    ...edits.map(([edit, effect]) => `    ${edit.padEnd(width)}   ${effect}`),
    '',
    '  With kubectl, in another terminal:',
    '',
    `    export KUBECONFIG=${kubeconfig}`,
    ...commands.map((command) => `    ${command}`),
  ];
}
