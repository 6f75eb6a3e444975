import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject, KubeObject } from '../../../src/kube/object.ts';
import { type Instance, instance as instanceKind } from '../../../src/kudo/resources/instance.ts';
import { KudoStage } from '../../kudo/kudo-stage.ts';
import { writeProgram } from './pipe/write-program.ts';
import { eventsOf } from './step-facts.ts';
import { appCommands } from './step-programs.ts';
import type { ObjectRef, Sent } from './step-recording.ts';

/** What became of a change that KUDO refused. */
export type Reaction = `refused: ${string}` | 'waits' | 'cancelled' | 'taken';

/** Sends what was recorded to a cluster on which the family runs, without a webhook. */
export class StepPlayer implements AsyncDisposable {
  readonly stage: KudoStage;
  readonly namespace: string;

  private constructor(stage: KudoStage, namespace: string) {
    this.stage = stage;
    this.namespace = namespace;
  }

  static async open(namespace: string): Promise<StepPlayer> {
    const stage = await KudoStage.open({ nodes: { programs: [writeProgram, appCommands] } });
    stage.start();
    await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    return new StepPlayer(stage, namespace);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stage[Symbol.asyncDispose]();
  }

  async send(sent: Sent): Promise<void> {
    const { stage, namespace } = this;
    if ('create' in sent) {
      const { metadata } = sent.create;
      await stage.apply({ ...sent.create, metadata: { ...metadata, namespace } });
    } else if ('patch' in sent) {
      const { type, body } = sent;
      const name = { namespace, name: sent.patch.name };
      await stage.person.resource(this.#typeOf(sent.patch)).patch(name, { type, body });
    } else if ('delete' in sent) {
      await stage.person.resource(this.#typeOf(sent.delete)).delete({ namespace, name: sent.delete.name });
    } else {
      for (const { metadata } of stage.embedded.world.list(kinds.pods, { namespace })) {
        await stage.person.resource(kinds.pods).delete({ namespace, name: metadata.name ?? '' });
      }
    }
  }

  /** What was done between the recorded steps, to its end. */
  async prepare(between: readonly Sent[]): Promise<void> {
    for (const sent of between) await this.send(sent);
    const gone = between.flatMap((sent) => ('delete' in sent ? [sent.delete.name] : []));
    const made = between.flatMap((sent) => ('create' in sent ? [sent.create.metadata.name ?? ''] : []));
    await this.stage.until('what is between the steps is done', () => {
      const here = made.map((name) => this.#instance(name));
      return (
        gone.every((name) => !this.#instance(name)) &&
        here.every((one) => one?.status?.history?.length === 1 && !one.spec.planExecution?.planName)
      );
    });
  }

  /** Sends what KUDO refused, sees what becomes of it, and takes it back. */
  async sendRefused(sends: readonly Sent[]): Promise<Reaction> {
    const changed = sends.flatMap((sent) => ('patch' in sent ? [sent.patch.name] : []));
    const made = sends.flatMap((sent) =>
      'create' in sent && isInstance(sent.create) ? [sent.create.metadata.name ?? ''] : [],
    );
    const [name = ''] = [...changed, ...made];
    const before = this.#instance(name);
    const told = new Set(this.#warnings(name).keys());
    for (const sent of sends) await this.send(sent);
    await this.stage.clock.runUntil(() => this.#reaction(name, before, told) !== 'taken', 5_000);
    const reaction = this.#reaction(name, before, told);
    if (!before) await this.send({ delete: { ...ref, name } });
    else if (reaction !== 'cancelled') await this.#takeBack(before);
    return reaction;
  }

  /** Runs the plan again that was cancelled. */
  async resume(sends: readonly Sent[]): Promise<void> {
    const [name = ''] = sends.flatMap((sent) => ('patch' in sent ? [sent.patch.name] : []));
    const [last] = this.#instance(name)?.status?.history ?? [];
    const body = { spec: { planExecution: { planName: last?.plan ?? '', uid: 'again' } } };
    await this.send({ patch: { ...ref, name }, type: 'merge', body });
  }

  /** A plan that is asked for in vain while another runs is told of by an event; then the one that runs is shown again. */
  #reaction(name: string, before: Instance | undefined, told: ReadonlySet<string>): Reaction {
    const { status } = this.#instance(name) ?? {};
    const condition = (type: string) => status?.conditions?.find((one) => one.type === type);
    const [accepted, waiting] = [condition('Accepted'), condition('Waiting')];
    if (accepted?.status === 'False') return `refused: ${accepted.message}`;
    if (waiting?.status === 'True') return 'waits';
    const [refusal] = [...this.#warnings(name)].filter(([id]) => !told.has(id));
    if (refusal) return `refused: ${refusal[1]}`;
    return before?.status?.execution && !status?.execution ? 'cancelled' : 'taken';
  }

  #warnings(name: string): ReadonlyMap<string, string> {
    const about = `Instance/${name} Warning `;
    const events = [...eventsOf(this.stage.embedded.world, this.namespace)];
    return new Map(
      events.filter(([, event]) => event.startsWith(about)).map(([id, event]) => [id, event.replace(/^.*?: /, '')]),
    );
  }

  /** Whoever wrote what cannot be takes it back. */
  async #takeBack({ metadata, spec }: Instance): Promise<void> {
    const { name = '', namespace = '' } = metadata;
    const { operatorVersion, parameters = {}, planExecution = {} } = spec;
    const body = Object.entries({ operatorVersion, parameters, planExecution }).map(([key, value]) => ({
      op: 'add',
      path: `/spec/${key}`,
      value,
    }));
    await this.stage.person.resource(instanceKind.type).patch({ namespace, name }, { type: 'json', body });
  }

  #instance(name: string): Instance | undefined {
    return this.stage.embedded.world.get<Instance>(instanceKind.type, this.namespace, name);
  }

  #typeOf({ apiVersion, kind }: ObjectRef) {
    return this.stage.typeOf({ apiVersion, kind, metadata: {} } as AnyObject);
  }
}

const ref = { apiVersion: instanceKind.apiVersion, kind: instanceKind.type.kind };

function isInstance({ kind }: KubeObject): boolean {
  return kind === instanceKind.type.kind;
}
