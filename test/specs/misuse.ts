import type { Property } from './property.ts';

const nowhere = { key: 'no-such-label', operator: 'In', values: ['x'] };
const unsatisfiable = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [nowhere] }] },
  },
};

/** Values that a schema may take and nobody should write, by what the property is called. */
const table: readonly { readonly where: RegExp; readonly values: readonly unknown[] }[] = [
  { where: /\.image$/, values: ['nowhere.invalid/no-such-image:0', 'UPPER/Case:1', ':::', 'a b'] },
  { where: /memory$/, values: ['1Gi', '1024Mi', '1e3', '2 gb', '-1g', '1.5x', '1', '1k'] },
  { where: /ephemeralStorage$/, values: ['1Gi', '1e3', '-1', 'lots'] },
  { where: /(limits|requests)\{\}$/, values: ['1Gi', '1024Mi', '1e3', '-1', 'much', 1, -1, '100000'] },
  { where: /\.cpu$/, values: [0.5, -0.5, 100_000] },
  { where: /(replicas|parallelism|desiredInstances)$/, values: [0, 1, 3, -1] },
  {
    where: /initialSavepointPath$/,
    values: ['s3://bucket/no-such-savepoint', 'no uri at all', '/etc/passwd', 'http://['],
  },
  {
    where: /jarURI$/,
    values: ['s3://bucket/no-such.jar', 'file:///etc/passwd', 'http://169.254.169.254/x.jar', 'x y'],
  },
  { where: /savepoint\.path$/, values: ['s3://bucket/no-such-savepoint', 'no uri', 'file:///etc'] },
  { where: /affinity$/, values: [unsatisfiable, { nodeAffinity: 'x' }] },
  { where: /nodeSelector$/, values: [{ 'no-such-label': 'x' }] },
  { where: /nodeName$/, values: ['no-such-node'] },
  { where: /serviceAccount(Name)?$/, values: ['no-such-account', 'Not A Name'] },
  { where: /priorityClassName|schedulerName|runtimeClassName$/, values: ['no-such-class'] },
  { where: /imagePullPolicy$/, values: ['Sometimes', 'always'] },
  { where: /restartPolicy$/, values: ['Never', 'Sometimes'] },
  {
    where: /ingress\.template$/,
    values: ['{{name}}.{{namespace}}.example', '{{nonsense}}.example', 'a b', '/only/path'],
  },
  { where: /(Nonce)$/, values: [-1, 0, 1] },
  { where: /deploymentName$|jobReference\.name$/, values: ['no-such-cluster', 'Not A Name', '../default/x'] },
  { where: /(app|package|droplet|previousDroplet|domain)Ref\.name$/, values: ['no-such-thing', 'Not A Name', '../x'] },
  { where: /displayName$|\.host$|spec\.name$/, values: ['has space', 'a/b', '*', 'ümlaut', '-x-', 'x'.repeat(300)] },
  { where: /\.path$/, values: ['no-slash', '/a b', '/?q=1', '/#f', '/', '/../x'] },
  { where: /ports?(\[\])?$/i, values: [0, 65_535, 65_536, -1] },
  { where: /imeout(Seconds)?$/, values: [0, 1, -1] },
  { where: /(memory|diskQuota|Memory|Disk)MB$/, values: [1, 100_000_000, -5] },
  {
    where: /operatorVersion\.name$|planName$|trigger$/,
    values: ['no-such-thing', 'Not A Name', '../x', 'demo-0.1.0/x'],
  },
  { where: /strategy$/, values: ['sideways', 'parallel', 'serial'] },
  { where: /tasks\[\]\.kind$/, values: ['Apply', 'Delete', 'Toggle', 'Pipe', 'Dummy', 'KudoOperator', 'Nonsense'] },
  {
    where: /templates\{\}$/,
    values: ['{{ .Params.NO_SUCH }}', '{{ nonsense', 'kind: [', '{{ range until 100000000 }}x{{ end }}'],
  },
  { where: /value-type$/, values: ['integer', 'array', 'map', 'boolean', 'nonsense'] },
  { where: /parameters\[\]\.default$/, values: ['not a number'] },
  { where: /envSecretName$|secretName$/i, values: ['no-such-secret', 'Not A Name'] },
  { where: /lifecycle\.data\.buildpacks$/, values: [['no-such-buildpack']] },
];

const durations = ['5 parsecs', '-5 s', '0 s', '5 s', '100000 d', ''];

/** Values of configurations, which are maps of texts that mean something. */
const configurations: readonly { readonly where: RegExp; readonly values: readonly unknown[] }[] = [
  {
    where: /flinkConfiguration$/,
    values: [
      ...durations.map((interval) => ({ 'execution.checkpointing.interval': interval })),
      { 'kubernetes.operator.periodic.savepoint.interval': '99 99 * * * ?' },
      { 'kubernetes.operator.periodic.savepoint.interval': '0 0 * * * ?' },
      { 'kubernetes.operator.job.autoscaler.scaling.enabled': 'perhaps' },
      { 'taskmanager.numberOfTaskSlots': '0' },
      { 'taskmanager.numberOfTaskSlots': 'many' },
      { 'kubernetes.cluster-id': 'other' },
      { 'high-availability.type': 'zookeeper' },
      { 'state.savepoints.dir': 'no uri' },
      { 'a b': 'c', '': 'x' },
      { taskmanager: { numberOfTaskSlots: 3 } },
      { env: ['x'] },
    ],
  },
  {
    where: /^spec\.configuration$/,
    values: [
      ...durations.map((delay) => ({ 'kubernetes.operator.bluegreen.deployment-deletion.delay': delay })),
      { 'kubernetes.operator.bluegreen.abort.grace-period': '1 fortnight' },
      { 'kubernetes.operator.bluegreen.no-such-key': 'x' },
      { 'other.key': 'x' },
    ],
  },
];

/** What a property is misused with: quantities and durations of every form, places that are not there, things that cannot be. */
export function misuse({ text }: Property): readonly unknown[] {
  return [...table, ...configurations].filter(({ where }) => where.test(text)).flatMap(({ values }) => values);
}
