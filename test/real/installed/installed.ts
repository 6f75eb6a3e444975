import { join } from 'node:path';
import { stringify } from 'yaml';
import { runCommand } from '../../../rig/command.ts';
import { cacheDirectory } from '../../../rig/directories.ts';
import { provide } from '../../../rig/parts.ts';
import { silent } from '../../../rig/progress.ts';
import { until } from '../flink/until.ts';
import { OPERATOR_IMAGE } from './operator-image.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const CHART = join(root, 'charts', 'cutover');

/** What the chart is given, as people write it. */
export type Values = Readonly<Record<string, unknown>>;

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/** Cutover as an administrator has it on a real cluster: installed by Helm, running in pods, with the rights of its roles. */
export class Installed {
  static readonly release = 'cutover';
  static readonly namespace = 'cutover-system';
  readonly kubeconfig: string;
  readonly #helm: string;

  private constructor(kubeconfig: string, helm: string) {
    this.kubeconfig = kubeconfig;
    this.#helm = helm;
  }

  static async open(kubeconfig: string): Promise<Installed> {
    const { helm } = await provide(cacheDirectory(), ['helm'], silent);
    return new Installed(kubeconfig, join(helm, 'helm'));
  }

  /** The program itself, for those who compare what it renders. */
  get program(): string {
    return this.#helm;
  }

  helm(args: readonly string[], input = ''): Promise<string> {
    const where = ['--kubeconfig', this.kubeconfig, '--namespace', Installed.namespace];
    return runCommand(this.#helm, [...args, ...where], { input });
  }

  kubectl(args: readonly string[], input = ''): Promise<string> {
    return runCommand('kubectl', ['--kubeconfig', this.kubeconfig, ...args], { input });
  }

  /** Objects of a kind in the operator's namespace, or in another. */
  async list<T>(kind: string, namespace: string = Installed.namespace, selector = ''): Promise<readonly T[]> {
    const chosen = selector === '' ? [] : ['--selector', selector];
    const printed = await this.kubectl(['get', kind, '--namespace', namespace, ...chosen, '-o', 'json']);
    return (JSON.parse(printed) as { readonly items: readonly T[] }).items;
  }

  /**
   * A namespace in which Kubernetes lets nothing run that is not "restricted", and `helm install` or `helm upgrade` in it;
   * returns when every pod of the operator is ready.
   */
  async install(values: Values): Promise<string> {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: Installed.namespace, labels } };
    await this.kubectl(['apply', '-f', '-'], stringify(namespace));
    // JSON is YAML in which Helm, which reads an older one than we write, takes no text for something else.
    const all = JSON.stringify({ image: { ...OPERATOR_IMAGE, pullPolicy: 'Never' }, ...values });
    // Definitions may be there before Helm comes, and tests scale the Deployment by hand: from now on all of it is the release's.
    const flags = ['--install', '--wait', '--timeout', '5m', '--take-ownership', '--force-conflicts', '--values', '-'];
    return await this.helm(['upgrade', Installed.release, CHART, ...flags], all);
  }

  uninstall(): Promise<string> {
    return this.helm(['uninstall', Installed.release, '--wait', '--timeout', '5m']);
  }

  /** Pods of the operator that nobody has asked to end. */
  async pods(): Promise<readonly Pod[]> {
    const selector = `app.kubernetes.io/name=cutover,app.kubernetes.io/instance=${Installed.release}`;
    const pods = await this.list<Pod>('pods', Installed.namespace, selector);
    return pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  }

  /** The process that holds the lease: its pod, and what tells it from others of that pod. */
  async holder(): Promise<string | undefined> {
    const leases = await this.list<{
      readonly metadata: { readonly name: string };
      readonly spec?: { readonly holderIdentity?: string };
    }>('leases');
    return leases.find(({ metadata }) => metadata.name === 'cutover')?.spec?.holderIdentity || undefined;
  }

  /** The pod that holds the lease. */
  async leader(): Promise<string | undefined> {
    const holder = await this.holder();
    return holder?.slice(0, holder.lastIndexOf('_'));
  }

  /** Waits for another process than this to hold the lease, and says after how many milliseconds it did. */
  async untilOtherLeader(than: string): Promise<number> {
    const begin = performance.now();
    const other = (holder: string | undefined): boolean => holder !== undefined && holder !== than;
    await until('another process leads', () => this.holder(), other);
    return performance.now() - begin;
  }

  async untilReady(pods: number): Promise<void> {
    await until(
      `${pods} pods of the operator are ready`,
      () => this.pods(),
      (found) => found.length === pods && found.every(isReady),
    );
  }

  /** What the operator has logged, all pods together. */
  async logs(): Promise<string> {
    const pods = await this.pods();
    const each = pods.map(({ metadata }) => this.kubectl(['logs', '--namespace', Installed.namespace, metadata.name]));
    return (await Promise.all(each)).join('');
  }
}
