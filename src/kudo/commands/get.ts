import { Argument, Command } from 'commander';
import type { KubeObject } from '../../kube/object.ts';
import type { Resource } from '../../kube/resource.ts';
import { ageOf } from '../../portrait/text/age.ts';
import { CommandError } from '../../portrait/text/command-error.ts';
import { harmless } from '../../portrait/text/harmless.ts';
import { didYouMean } from '../../portrait/text/near-names.ts';
import type { OpenedCluster, Shell } from '../../portrait/text/shell.ts';
import { table } from '../../portrait/text/table.ts';
import type { Instance } from '../resources/instance.ts';
import type { Operator } from '../resources/operator.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { kudoOf } from './cluster-objects.ts';
import { installedTree } from './print/installed-tree.ts';
import { inSession, type Session } from './session.ts';

interface GetOptions {
  readonly allNamespaces: boolean;
}

/** `get`: what is installed. */
export function getCommand(shell: Shell): Command {
  return new Command('get')
    .description('list what is installed')
    .addArgument(new Argument('<what>', 'the kind').choices(['instances', 'operators', 'operatorversions', 'all']))
    .argument('[name]', 'only the one of this name')
    .option('-A, --all-namespaces', 'of all namespaces', false)
    .action(
      inSession<GetOptions>(shell, async (session, { allNamespaces }, [what = '', name]) => {
        const cluster = await session.cluster();
        const place: Place = { session, cluster, name, all: allNamespaces };
        const { instances, operators, operatorVersions } = kudoOf(cluster);
        const now = shell.clock.now();
        if (what === 'instances') {
          show(place, await listed(place, instances), instanceHeader, (one) => instanceRow(one, now));
        } else if (what === 'operators') {
          show(place, await listed(place, operators), ['DESCRIPTION', 'AGE'], (one) => operatorRow(one, now));
        } else if (what === 'operatorversions') {
          show(place, await listed(place, operatorVersions), versionHeader, (one) => versionRow(one, now));
        } else {
          if (name !== undefined)
            throw new CommandError('`get all` takes no name; name a kind: instances, operators or operatorversions');
          const installed = {
            operators: await listed(place, operators),
            operatorVersions: await listed(place, operatorVersions),
            instances: await listed(place, instances),
          };
          const items = Object.values(installed).flat();
          const where = allNamespaces ? 'all namespaces' : `namespace "${harmless(cluster.namespace)}"`;
          if (session.answer(listOf(items))) return;
          shell.write(`List of current installed operators including versions and instances in ${where}:\n`);
          shell.write(installedTree(installed));
        }
      }),
    );
}

interface Place {
  readonly session: Session;
  readonly cluster: OpenedCluster;
  readonly name: string | undefined;
  readonly all: boolean;
}

async function listed<T extends KubeObject>(
  { cluster, name, all }: Place,
  resource: Resource<T>,
): Promise<readonly T[]> {
  const { items } = await resource.list(all ? {} : { namespace: cluster.namespace });
  const sorted = items.toSorted((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
  if (name === undefined) return sorted;
  const found = sorted.filter(({ metadata }) => metadata.name === name);
  if (found.length > 0) return found;
  const names = sorted.map(({ metadata }) => `${metadata.name}`);
  const where = all ? 'any namespace' : `namespace ${JSON.stringify(cluster.namespace)}`;
  const kind = resource.type.kind.toLowerCase();
  throw new CommandError(`${kind} ${JSON.stringify(name)} does not exist in ${where}.${didYouMean(name, names)}`);
}

function titleOf({ metadata: { namespace = '', name = '' } }: KubeObject): string {
  return `${namespace}/${name}`;
}

function show<T extends KubeObject>(
  { session, cluster, name, all }: Place,
  items: readonly T[],
  header: readonly string[],
  row: (one: T) => readonly string[],
): void {
  if (session.answer(name === undefined ? listOf(items) : items[0])) return;
  if (items.length === 0) {
    session.say(`nothing found in ${all ? 'any namespace' : `namespace "${cluster.namespace}"`}`);
    return;
  }
  const place = ({ metadata }: KubeObject): readonly string[] => (all ? [metadata.namespace ?? ''] : []);
  const rows = items.map((one) => [...place(one), one.metadata.name ?? '', ...row(one)].map(harmless));
  session.shell.write(table([...(all ? ['NAMESPACE'] : []), 'NAME', ...header], rows));
}

function listOf(items: readonly KubeObject[]): unknown {
  return { apiVersion: 'v1', kind: 'List', items };
}

const instanceHeader = ['OPERATOR-VERSION', 'PLAN', 'PLAN-STATUS', 'READY', 'RESTART', 'AGE'];
const versionHeader = ['OPERATOR', 'VERSION', 'APP-VERSION', 'AGE'];

function instanceRow({ spec, status, metadata }: Instance, now: number): readonly string[] {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? '';
  const { plan = '', status: planStatus = '', restart = '' } = status?.latest ?? {};
  return [spec?.operatorVersion?.name ?? '', plan, planStatus, ready, restart, ageOf(metadata, now)];
}

function operatorRow({ spec, metadata }: Operator, now: number): readonly string[] {
  return [spec?.description ?? '', ageOf(metadata, now)];
}

function versionRow({ spec, metadata }: OperatorVersion, now: number): readonly string[] {
  return [spec?.operator?.name ?? '', spec?.version ?? '', spec?.appVersion ?? '', ageOf(metadata, now)];
}
