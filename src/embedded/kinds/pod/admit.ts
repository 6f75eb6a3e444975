import { suffix } from '../../../clock/random.ts';
import type { Draft, StrategyContext } from '../../resource.ts';
import type { Fields } from '../../schema/json.ts';
import { forbidden } from '../../status-error.ts';
import { each, fields, fill } from '../draft.ts';

const accountPath = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * What the API server's built-in admission adds to every new pod: its ServiceAccount with a token to use, its
 * priority, and five minutes of patience with a lost node. A named account or priority class must exist; only the
 * account `default` may still be missing, so that pods and their namespace can be created in one go.
 */
export function admitPod(draft: Draft, context: StrategyContext): void {
  const spec = fields(draft.spec);
  if (!spec) return;
  const refuse = (why: string): never => {
    throw forbidden({ group: '', plural: 'pods', name: String(draft.metadata.name ?? '') }, why);
  };
  addAccount(spec, String(draft.metadata.namespace ?? ''), context, refuse);
  addPriority(spec, context, refuse);
  addPatience(spec);
}

function addAccount(spec: Fields, namespace: string, context: StrategyContext, refuse: (why: string) => never): void {
  if (!spec.serviceAccountName) Object.assign(spec, { serviceAccountName: 'default', serviceAccount: 'default' });
  const account = context.read('', 'serviceaccounts', namespace, String(spec.serviceAccountName));
  if (!account && spec.serviceAccountName !== 'default') {
    const name = String(spec.serviceAccountName);
    refuse(`error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`);
  }
  const mount = spec.automountServiceAccountToken ?? account?.automountServiceAccountToken ?? true;
  const secrets = account?.imagePullSecrets;
  if (Array.isArray(secrets) && secrets.length > 0) fill(spec, { imagePullSecrets: structuredClone(secrets) });
  if (mount !== true) return;
  const containers = [...each(spec.initContainers), ...each(spec.containers)];
  const without = containers.filter((one) => !each(one.volumeMounts).some((mount) => mount.mountPath === accountPath));
  if (without.length === 0) return;
  const name = `kube-api-access-${suffix(context.random)}`;
  for (const container of without) {
    const mounts = Array.isArray(container.volumeMounts) ? container.volumeMounts : [];
    container.volumeMounts = [...mounts, { name, readOnly: true, mountPath: accountPath }];
  }
  spec.volumes = [...(Array.isArray(spec.volumes) ? spec.volumes : []), { name, projected: accessVolume() }];
}

const accessVolume = (): Fields => ({
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
  defaultMode: 420,
});

function addPriority(spec: Fields, context: StrategyContext, refuse: (why: string) => never): void {
  const name = spec.priorityClassName;
  const chosen = name
    ? context.read('scheduling.k8s.io', 'priorityclasses', undefined, String(name))
    : context.all('scheduling.k8s.io', 'priorityclasses').find((one) => one.globalDefault === true);
  if (chosen && !name) spec.priorityClassName = chosen.metadata.name;
  const priority = chosen?.value ?? systemPriority(name);
  if (priority === undefined) refuse(`no PriorityClass with name ${String(name)} was found`);
  spec.priority = priority;
  fill(spec, { preemptionPolicy: chosen?.preemptionPolicy ?? 'PreemptLowerPriority' });
}

function systemPriority(name: unknown): number | undefined {
  if (!name) return 0;
  if (name === 'system-node-critical') return 2000001000;
  return name === 'system-cluster-critical' ? 2000000000 : undefined;
}

/** Adds the tolerations that every pod has, also when an update dropped them. */
export function addPatience(spec: Fields): void {
  const present = each(spec.tolerations);
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
    .filter(
      (key) => !present.some((one) => (one.key === key || !one.key) && (one.effect === 'NoExecute' || !one.effect)),
    )
    .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  if (added.length > 0) spec.tolerations = [...present, ...added];
}
