/** What `cutover embedded` tells once the cluster is up. */
export interface Welcome {
  readonly url: string;
  /** Path of the kubeconfig file, as the user would type it. */
  readonly kubeconfig: string;
  readonly version: string;
  /** Where the cluster is kept; absent when it lives in memory. */
  readonly data?: string;
  /** Why the port is not the usual one. */
  readonly note?: string;
}

/** A few friendly lines: where the API is, which kubeconfig to use, three commands to try, how to stop. */
export function welcome({ url, kubeconfig, version, data, note }: Welcome): string {
  return [
    '',
    `  Cutover ${version}: an embedded Kubernetes is running.`,
    '',
    `  API         ${url}${note ? `  (${note})` : ''}`,
    `  kubeconfig  ${kubeconfig}`,
    `  state       ${data ? `kept in ${data}` : 'in memory, gone when this stops (keep it with --data DIR)'}`,
    '',
    '  Try, in another terminal:',
    '',
    `    export KUBECONFIG=${kubeconfig}`,
    '    kubectl get nodes',
    '    kubectl create deployment hello --image=nginx --replicas=3',
    '    kubectl rollout status deployment/hello',
    '',
    '  Ctrl-C stops it.',
    '',
    '',
  ].join('\n');
}
