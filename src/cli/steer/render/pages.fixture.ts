import type { Portrait, TreeNode } from '../../../portrait/portrait.ts';
import type { Page } from '../../../portrait/wire.ts';

/** The moment of all pages. */
export const now = Date.parse('2030-01-01T12:00:00Z');

/** So many seconds before that moment. */
export function ago(seconds: number): string {
  return new Date(now - seconds * 1000).toISOString();
}

function pod(name: string, status = 'Running', phase: TreeNode['phase'] = 'healthy', age = 40): TreeNode {
  return { kind: 'Pod', name, phase, status, createdAt: ago(age), children: [] };
}

const orders: Portrait = {
  subject: {
    family: 'flink',
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkBlueGreenDeployment',
    namespace: 'streaming',
    name: 'orders',
    uid: 'u-orders',
  },
  phase: 'progressing',
  state: 'TRANSITIONING_TO_GREEN',
  headline: 'blue → green: orders-green is starting (RECONCILING).',
  serving: 'blue',
  inTransition: true,
  since: ago(41),
  createdAt: ago(7200),
  answers: {
    serves: 'blue serves (FlinkDeployment orders-blue), for 2h.',
    changing: 'blue → green: the image changed.',
    progress: 'Step 2 of 5: green is starting for 38s.',
    ifStopped: 'green is deleted and blue serves on, untouched: `cutover abort orders`.',
    next: 'Wait for green to become ready; otherwise it is given up by itself.',
  },
  cause: {
    kind: 'spec-change',
    because: 'the image changed',
    changes: [{ path: 'spec.template.spec.image', from: 'flink:1.20.3', to: 'flink:1.20.4', demands: 'upgrade' }],
    generation: 13,
    since: ago(41),
  },
  sides: [
    {
      name: 'blue',
      role: 'serving',
      phase: 'healthy',
      state: 'RUNNING',
      facts: [{ label: 'image', value: 'flink:1.20.3' }],
    },
    {
      name: 'green',
      role: 'next',
      phase: 'progressing',
      state: 'RECONCILING',
      facts: [
        { label: 'image', value: 'flink:1.20.4' },
        { label: 'from', value: 's3://state/sp-91ab' },
      ],
    },
  ],
  steps: [
    {
      name: 'savepointing',
      title: 'Take a savepoint of blue',
      status: 'done',
      startedAt: ago(41),
      endedAt: ago(38),
      info: 'sp-91ab',
    },
    { name: 'starting', title: 'Start green', status: 'current', startedAt: ago(38) },
    { name: 'traffic', title: 'Move traffic to green', status: 'pending' },
  ],
  deadlines: [{ what: 'green is given up', at: ago(-79) }],
  tree: {
    kind: 'FlinkBlueGreenDeployment',
    name: 'orders',
    phase: 'progressing',
    status: 'TRANSITIONING_TO_GREEN',
    createdAt: ago(7200),
    children: [
      {
        kind: 'FlinkDeployment',
        name: 'orders-blue',
        phase: 'healthy',
        status: 'RUNNING',
        createdAt: ago(7200),
        info: 'serving',
        children: [pod('orders-blue-jm', 'Running', 'healthy', 7000)],
      },
      {
        kind: 'FlinkDeployment',
        name: 'orders-green',
        phase: 'progressing',
        status: 'RECONCILING',
        createdAt: ago(38),
        children: [pod('orders-green-jm', 'ContainerCreating', 'progressing', 37)],
      },
    ],
  },
  pods: [
    {
      name: 'orders-blue-jm',
      side: 'blue',
      phase: 'healthy',
      status: 'Running',
      ready: true,
      restarts: 2,
      containers: ['flink-main-container'],
      createdAt: ago(7000),
      reasons: [
        { when: 'did', sentence: 'Made for the first deployment.', at: ago(7000) },
        { when: 'will', sentence: 'Will be deleted with blue.' },
      ],
    },
    {
      name: 'orders-green-jm',
      side: 'green',
      phase: 'progressing',
      status: 'ContainerCreating',
      ready: false,
      restarts: 0,
      containers: ['flink-main-container'],
      createdAt: ago(37),
      reasons: [{ when: 'did', sentence: 'Made because the image changed.', at: ago(37) }],
    },
  ],
  facts: [{ label: 'upgrade mode', value: 'savepoint' }],
  conditions: [
    {
      type: 'Ready',
      status: 'True',
      reason: 'Starting',
      message: 'orders-green is starting (RECONCILING).',
      since: ago(41),
    },
    { type: 'Available', status: 'True', reason: 'Serving', message: 'the job of orders-blue runs.', since: ago(7100) },
    { type: 'Promoted', status: 'False', reason: 'UnderWay', message: '', since: ago(41) },
  ],
  history: [
    {
      id: 't-12',
      what: 'green → blue',
      because: 'parallelism changed',
      outcome: 'promoted',
      good: true,
      startedAt: ago(7260),
      endedAt: ago(7200),
      steps: [
        { name: 'savepointing', startedAt: ago(7260) },
        { name: 'starting', startedAt: ago(7250) },
      ],
      info: 'started from s3://state/sp-77',
    },
    {
      id: 't-11',
      what: 'blue → green',
      because: 'image changed',
      outcome: 'aborted',
      good: false,
      startedAt: ago(90_000),
      steps: [],
    },
  ],
};

/** A Flink job between blue and green. */
export const flinkPage: Page = {
  portrait: orders,
  events: [
    {
      at: ago(37),
      reason: 'Submit',
      note: 'Starting deployment',
      warning: false,
      about: 'FlinkDeployment/orders-green',
      count: 1,
    },
    {
      at: ago(500),
      reason: 'BackOff',
      note: 'restarting failed container',
      warning: true,
      about: 'Pod/orders-blue-jm',
      count: 2,
    },
  ],
  offers: [
    {
      verb: 'abort',
      summary: 'give the transition up',
      command: 'cutover abort FlinkBlueGreenDeployment/orders -n streaming',
    },
    {
      verb: 'suspend',
      summary: 'stop the job',
      command: 'cutover suspend FlinkBlueGreenDeployment/orders -n streaming',
      stake: { what: 'availability', question: 'Nothing serves meanwhile. Suspend?' },
    },
    { verb: 'promote', summary: 'move traffic', command: 'cutover promote …', whyNot: 'green is not ready' },
  ],
};

/** An Instance whose plan cannot get on. */
export const kudoPage: Page = {
  portrait: {
    subject: {
      family: 'kudo',
      apiVersion: 'kudo.dev/v1beta1',
      kind: 'Instance',
      namespace: 'bank',
      name: 'ledger',
      uid: 'u-ledger',
    },
    phase: 'failed',
    state: 'deploy FATAL_ERROR',
    headline: 'plan deploy failed in step nodes: template stateful-set.yaml: NODE_COUNT is no number',
    serving: 'ledger-1.0.0',
    inTransition: false,
    needsYou: 'Set NODE_COUNT right: `cutover kudo update --instance ledger -p NODE_COUNT=3`.',
    since: ago(600),
    createdAt: ago(100_000),
    answers: {
      serves: 'ledger-1.0.0: 3 of 3 pods are ready.',
      changing: 'NODE_COUNT, by plan deploy.',
      progress: 'It failed in step nodes, 1 of 2 steps done.',
      ifStopped: 'Nothing runs that could be stopped.',
      next: 'Set NODE_COUNT right.',
    },
    sides: [{ name: 'ledger-1.0.0', role: 'serving', phase: 'healthy', state: '3 of 3 pods ready', facts: [] }],
    steps: [
      {
        name: 'deploy/ledger/settings',
        title: 'Step settings of phase ledger',
        status: 'done',
        startedAt: ago(601),
        endedAt: ago(600.5),
      },
      {
        name: 'deploy/ledger/nodes',
        title: 'Step nodes of phase ledger',
        status: 'failed',
        startedAt: ago(600),
        info: 'NODE_COUNT is no number',
      },
    ],
    deadlines: [],
    tree: {
      kind: 'Instance',
      name: 'ledger',
      phase: 'failed',
      status: 'deploy FATAL_ERROR',
      createdAt: ago(100_000),
      children: [
        { kind: 'ConfigMap', name: 'ledger-settings', phase: 'healthy', status: 'there', children: [] },
        {
          kind: 'StatefulSet',
          name: 'ledger',
          phase: 'healthy',
          status: '3/3 ready',
          children: [pod('ledger-0'), pod('ledger-1')],
        },
      ],
    },
    pods: [],
    facts: [{ label: 'Operator', value: 'ledger 1.0.0' }],
    conditions: [],
    history: [],
  },
  events: [],
  offers: [{ verb: 'retry', summary: 'run plan deploy again', command: 'cutover retry Instance/ledger -n bank' }],
};

/** A CF app whose canary waits for somebody. */
export const cloudFoundryPage: Page = {
  portrait: {
    subject: {
      family: 'cloudfoundry',
      apiVersion: 'korifi.cloudfoundry.org/v1alpha1',
      kind: 'CFApp',
      namespace: 'space-1',
      name: '4cf7eb16',
      uid: 'u-app',
      title: 'hello',
    },
    phase: 'waiting',
    state: 'STARTED PAUSED',
    headline: 'The canary of revision 2 runs beside revision 1.',
    serving: 'revisions 1 and 2',
    inTransition: true,
    needsYou: 'Go on with `cutover promote hello`, or give up with `cutover abort hello`.',
    createdAt: ago(86_400 * 9),
    answers: {
      serves: '2 instances of revision 1 and 1 of revision 2 serve at hello.example.',
      changing: 'Revision 2 replaces revision 1: a new droplet.',
      progress: '1 of 3 instances run revision 2.',
      ifStopped: 'The canary ends; revision 1 goes on.',
      next: 'Look at the canary, then promote or abort.',
    },
    sides: [
      { name: 'revision 1', role: 'serving', phase: 'healthy', state: '2 of 2 ready', facts: [] },
      {
        name: 'revision 2',
        role: 'next',
        phase: 'waiting',
        state: '1 of 3 ready',
        facts: [{ label: 'Share', value: '33%' }],
      },
    ],
    steps: [],
    deadlines: [],
    tree: { kind: 'CFApp', name: 'hello', phase: 'waiting', status: 'STARTED PAUSED', children: [] },
    pods: [],
    facts: [],
    conditions: [{ type: 'Ready', status: 'True', reason: 'Ready', message: 'Ready' }],
    history: [],
  },
  events: [],
  offers: [{ verb: 'promote', summary: 'replace the rest', command: 'cutover promote CFApp/hello -n space-1' }],
};
