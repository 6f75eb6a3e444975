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
  readonly samples?: readonly Sample[];
  /** Other tools than `kubectl`, and what to type to use them. */
  readonly beside?: readonly Beside[];
  readonly firstMinute?: FirstMinute;
}

/** What to do first: one look in a browser, and a few commands that need nothing but this program. */
export interface FirstMinute {
  /** The link that opens the dashboard once; absent: it is not served. */
  readonly dashboard?: string;
  /** How this program is called from a shell: `npm run -s cutover --`. */
  readonly program: string;
  /** What to type after `cutover`, and what it shows. */
  readonly commands: readonly (readonly [command: string, effect: string])[];
}

export interface Beside {
  /** Another API that is served beside Kubernetes': `CF API`. Absent: the tool speaks to Kubernetes. */
  readonly api?: { readonly label: string; readonly url: string };
  /** What is used: `the cf CLI`. */
  readonly tool: string;
  /** Commands of that tool, with comments. */
  readonly commands: readonly string[];
}

/** Something that runs and invites to be changed. */
export interface Sample {
  /** The manifest that is applied whenever it is saved. */
  readonly path: string;
  /** What it is, as the beginning of a sentence: `A Flink job that counts`. */
  readonly what: string;
  /** An edit to make in the file, and what it will show. */
  readonly edits: readonly (readonly [edit: string, effect: string])[];
  /** Commands that show or change it, for whoever has `kubectl`; with comments. */
  readonly commands: readonly string[];
}

/** A few friendly lines: where the API is, which kubeconfig to use, what to try, how to stop. */
export function welcome({
  url,
  kubeconfig,
  version,
  data,
  note,
  samples = [],
  beside = [],
  firstMinute,
}: Welcome): string {
  const invited = samples.length > 0;
  return [
    '',
    `  Cutover ${version}: an embedded Kubernetes${invited ? ' and the operator are' : ' is'} running.`,
    '',
    `  API         ${url}${note ? `  (${note})` : ''}`,
    ...beside.flatMap(({ api }) => (api ? [`  ${api.label.padEnd(11)} ${api.url}`] : [])),
    `  kubeconfig  ${kubeconfig}`,
    `  state       ${data ? `kept in ${data}` : 'in memory, gone when this stops (keep it with --data DIR)'}`,
    '',
    ...(invited ? invitation(samples, kubeconfig) : firstSteps(kubeconfig)),
    ...beside.flatMap(({ tool, commands }) => [
      '',
      `  With ${tool}, there too:`,
      '',
      ...commands.map((line) => `    ${line}`),
    ]),
    '',
    ...(firstMinute ? guide(firstMinute, kubeconfig) : []),
    '  Ctrl-C stops it.',
    '',
    '',
  ].join('\n');
}

/** Last, so that it is what a person sees when all the rest has scrolled away. */
function guide({ dashboard, program, commands }: FirstMinute, kubeconfig: string): string[] {
  const width = Math.max(...commands.map(([command]) => command.length));
  return [
    '  The first minute',
    '  ----------------',
    ...(dashboard === undefined
      ? []
      : ['  Open the dashboard, once and without a password, by this link:', '', `    ${dashboard}`, '']),
    '  And in another terminal, in this directory:',
    '',
    `    export KUBECONFIG=${kubeconfig}`,
    `    alias cutover='${program}'`,
    ...commands.map(([command, effect]) => `    cutover ${command.padEnd(width)}   # ${effect}`),
    '',
  ];
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

function invitation(samples: readonly Sample[], kubeconfig: string): string[] {
  const width = Math.max(...samples.flatMap(({ edits }) => edits.map(([edit]) => edit.length)));
  const about = ({ path, what, edits }: Sample, index: number): string[] => [
    `  ${what} is in ${path}.${index === 0 ? '' : ' There:'}`,
    ...(index === 0 ? ['  Edit that file and save it; what follows is told here. For example:'] : []),
    '',
    ...edits.map(([edit, effect]) => `    ${edit.padEnd(width)}   ${effect}`),
    '',
  ];
  return [
    ...samples.flatMap(about),
    '  With kubectl, in another terminal:',
    '',
    `    export KUBECONFIG=${kubeconfig}`,
    ...samples.flatMap(({ commands }) => commands.map((command) => `    ${command}`)),
  ];
}
