import type { Finding } from '../../control/conditions.ts';

/** What the server said that the operator may not do. */
export interface MissingGrant {
  /** As the server knows the operator: `system:serviceaccount:cutover:cutover`. */
  readonly user: string;
  readonly verb: string;
  /** With a subresource, if it is one: `pods/exec`. */
  readonly resource: string;
  readonly group: string;
  /** Absent: in the whole cluster. */
  readonly namespace?: string;
}

const said =
  /User "([^"]{1,300})" cannot ([a-z]{1,30}) resource "([^"]{1,200})" in API group "([^"]{0,200})" (?:in the namespace "([^"]{1,63})"|at the cluster scope)/;

/** Reads the words in which every API server refuses a request; `undefined` when a failure is about something else. */
export function missingGrant(message: string): MissingGrant | undefined {
  const [, user, verb, resource, group, namespace] = said.exec(message) ?? [];
  if (user === undefined || verb === undefined || resource === undefined || group === undefined) return undefined;
  return { user, verb, resource, group, ...(namespace !== undefined && { namespace }) };
}

/** The condition of an Instance whose plan waits for a right. It goes on by itself once it is given. */
export function accessMissing(grant: MissingGrant, plan: string): Finding {
  const { verb, resource, group, namespace } = grant;
  const what = group === '' ? resource : `${resource} of ${group}`;
  const where = namespace === undefined ? 'in the cluster' : `in namespace ${namespace}`;
  const message = `plan ${plan} waits: the operator may not ${verb} ${what} ${where}. It goes on within a minute once it may. To allow it: ${granting(grant)}`;
  return { type: 'AccessMissing', status: 'True', reason: 'Forbidden', message };
}

/** The ClusterRole of a usual installation with the kinds that most packages are made of. */
const packagesRole = 'cutover-kudo-packages';

const inPackagesRole: Readonly<Record<string, readonly string[]>> = {
  '': ['configmaps', 'services', 'serviceaccounts', 'persistentvolumeclaims', 'pods', 'pods/exec', 'secrets'],
  apps: ['deployments', 'statefulsets', 'daemonsets', 'replicasets'],
  batch: ['jobs', 'cronjobs'],
  policy: ['poddisruptionbudgets'],
  'rbac.authorization.k8s.io': ['roles', 'rolebindings'],
};

/** What an administrator types, with the verbs of a role that is made for it. Names come from packages and from the server: one that a shell could read otherwise is quoted. */
export function granting(
  { user, resource, group, namespace }: MissingGrant,
  verbs = 'get,list,watch,create,patch,delete',
): string {
  const [, home, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(user) ?? [];
  const who = home && account ? `--serviceaccount=${quoted(`${home}:${account}`)}` : `--user=${quoted(user)}`;
  const known = namespace !== undefined && inPackagesRole[group]?.includes(resource);
  const kind = group === '' ? resource : `${resource}.${group}`;
  const role = known ? packagesRole : `cutover-${kind.replaceAll('/', '-')}`;
  const bind = (to: string): string =>
    namespace === undefined
      ? `kubectl create clusterrolebinding ${quoted(to)} --clusterrole=${quoted(to)} ${who}`
      : `kubectl create rolebinding ${quoted(to)} -n ${quoted(namespace)} --clusterrole=${quoted(to)} ${who}`;
  if (known) return bind(role);
  return `kubectl create clusterrole ${quoted(role)} --verb=${verbs} --resource=${quoted(kind)} && ${bind(role)}`;
}

function quoted(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
