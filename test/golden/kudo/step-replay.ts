import { admissionDifferences } from './admission-differences.ts';
import { compareFacts, type Difference, type Executions, podChanges } from './step-comparison.ts';
import { eventsOf, type Facts, factsOf, podsOf } from './step-facts.ts';
import { type Reaction, StepPlayer } from './step-player.ts';
import { after, type RecordedStep, type StepRecording } from './step-recording.ts';

/** The recorder of KUDO's events drops what comes after so many of one object. */
const burst = 25;

/** What only the webhook refuses, because the order in which it would be done is nobody's: without it, it is done. */
const onlyTheWebhook = ['01-configmap/20-manual-trigger-and-param', '01-configmap/32-upgrade-and-manual-plan-denied'];

/** How long a step may take until it is as recorded, and how long it stays so. */
const [patienceMs, calmMs] = [60_000, 2_000];

/** What a step begins with. */
interface Beginning {
  readonly pods: ReturnType<typeof podsOf>;
  readonly events: ReadonlySet<string>;
  readonly refusal?: Difference;
}

/** A recording on its way: each step is sent to a cluster of ours, and what is there then is compared. */
export class StepReplay implements AsyncDisposable {
  readonly #player: StepPlayer;
  readonly #recording: StepRecording;
  #known: Facts = new Map();
  #executions: Executions = new Map();
  /** Differences that there are already: what does not change is not told again. */
  #standing: ReadonlySet<string> = new Set();
  /** How many events of an object were recorded. */
  readonly #told = new Map<string, number>();

  private constructor(player: StepPlayer, recording: StepRecording) {
    this.#player = player;
    this.#recording = recording;
  }

  static async open(recording: StepRecording): Promise<StepReplay> {
    return new StepReplay(await StepPlayer.open(recording.namespace), recording);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#player[Symbol.asyncDispose]();
  }

  /** Plays the step until only differences are left that are known, or its time is over; and says which there are. */
  async play(step: RecordedStep, isKnown: (difference: Difference) => boolean): Promise<readonly Difference[]> {
    for (const sent of step.between ?? []) {
      // Its plan started and finished.
      if ('create' in sent)
        for (let told = 0; told < 2; told += 1) this.#count(`Instance/${sent.create.metadata.name}`);
    }
    await this.#player.prepare(step.between ?? []);
    const { world } = this.#player.stage.embedded;
    const { namespace } = this.#recording;
    const theirs = after(this.#known, step);
    const before = { pods: podsOf(world, namespace), events: new Set(eventsOf(world, namespace).keys()) };
    const refusal = await this.#send(step);
    const compare = () => this.#compare(step, theirs, { ...before, ...(refusal && { refusal }) });
    const isNew = (one: Difference) => !this.#standing.has(identity(one));
    await this.#settle(step, () => compare().every((one) => !isNew(one) || isKnown(one)));
    const differences = compare();
    const found = differences.filter(isNew);
    this.#standing = new Set(differences.map(identity));
    this.#executions = compareFacts(theirs, factsOf(world, namespace), this.#executions).executions;
    this.#known = theirs;
    for (const event of step.events ?? []) this.#count(event);
    return found;
  }

  #count(event: string): void {
    const [about = ''] = event.split(' ');
    this.#told.set(about, (this.#told.get(about) ?? 0) + 1);
  }

  async #send({ step, sends, denied }: RecordedStep): Promise<Difference | undefined> {
    if (denied === undefined || sends.length === 0) {
      for (const sent of sends) await this.#player.send(sent);
      return undefined;
    }
    const name = `${this.#recording.package}/${step}`;
    if (onlyTheWebhook.includes(name)) return { fact: 'refusal', theirs: denied, ours: 'done one after the other' };
    const reaction = await this.#player.sendRefused(sends);
    if (reaction === 'cancelled') await this.#player.resume(sends);
    return isExpected(name, denied, reaction) ? undefined : { fact: 'refusal', theirs: denied, ours: reaction };
  }

  #compare(step: RecordedStep, theirs: Facts, { pods, events, refusal }: Beginning): readonly Difference[] {
    const { world } = this.#player.stage.embedded;
    const { namespace } = this.#recording;
    const podFacts = new Map(Object.entries(step.pods ?? {}).map(([owner, how]) => [`pods of ${owner}`, how]));
    const fresh = [...eventsOf(world, namespace)].flatMap(([id, event]) => (events.has(id) ? [] : [event]));
    return [
      ...(refusal ? [refusal] : []),
      ...compareFacts(theirs, factsOf(world, namespace), this.#executions).differences,
      ...compareFacts(podFacts, podChanges(pods, podsOf(world, namespace)), new Map()).differences,
      ...this.#compareEvents(step.events ?? [], fresh),
    ];
  }

  #compareEvents(theirs: readonly string[], ours: readonly string[]): readonly Difference[] {
    const missing = theirs.filter((event) => !ours.includes(event));
    const more = [...new Set(ours)].filter((event) => !theirs.includes(event) && !this.#isDropped(event, theirs));
    return [
      ...missing.map((event) => ({ fact: `event ${event}`, theirs: 'told', ours: '' })),
      ...more.map((event) => ({ fact: `event ${event}`, theirs: '', ours: 'told' })),
    ];
  }

  #isDropped(event: string, theirs: readonly string[]): boolean {
    const [about = ''] = event.split(' ');
    const now = theirs.filter((other) => other.startsWith(`${about} `));
    return (this.#told.get(about) ?? 0) + now.length >= burst;
  }

  /** A step after which nothing was sent was a moment on the way; others are where it stays. */
  async #settle(step: RecordedStep, done: () => boolean): Promise<void> {
    const { clock } = this.#player.stage;
    const { steps } = this.#recording;
    const onTheWay = steps[steps.indexOf(step) + 1]?.sends.length === 0;
    await clock.advance(onTheWay ? 10 : calmMs);
    for (let waited = 0; waited < patienceMs && !done(); ) {
      const pause = onTheWay ? 50 : Math.max(250, waited / 4);
      await clock.advance(pause);
      waited += pause;
    }
  }
}

function identity({ fact, theirs, ours }: Difference): string {
  return JSON.stringify([fact, theirs, ours]);
}

/** Whether it is as recorded, or as `admission-differences.ts` lists it. KUDO's commands have words of their own. */
function isExpected(step: string, denied: string, reaction: Reaction): boolean {
  const listed = admissionDifferences.find((difference) => difference.step === step)?.differs;
  if (reaction === 'waits') return listed === 'waits';
  if (reaction === 'cancelled') return listed === 'cancels';
  if (reaction === 'taken') return false;
  return listed === 'words' || denied.startsWith('Error:') || reaction.startsWith(`refused: ${denied}`);
}
