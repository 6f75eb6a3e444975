import type { AnyObject } from '../../kube/object.ts';
import type { ObjectName } from '../../kube/path.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import type { Ref } from '../decision.ts';
import { describe, type Hands, Lapsed, nameOfRef, Stale } from './hands.ts';
import { stored } from './stored.ts';

/**
 * The object that a decision is about, whose status is the journal of all effects.
 *
 * A cache may lag, be frozen, or begin in the past (a process that starts at a server that lags). What was decided on
 * such a view must have no effect. So before the first effect of a run the object's version is proven to be the one that
 * was decided on: by a write that carries it, or by asking the server. An idle object costs neither.
 */
export class Journal {
  readonly #type: ResourceType;
  readonly #name: ObjectName;
  readonly #of: Ref;
  readonly #mayAct: () => boolean;
  #status: unknown;
  #proven = false;

  /** `mayAct`: whether the right to act still stands. */
  constructor(type: ResourceType, of: Ref & { readonly resourceVersion: string }, mayAct: () => boolean) {
    this.#type = type;
    this.#name = nameOfRef(of);
    this.#of = of;
    this.#mayAct = mayAct;
  }

  /** Whether this is the object that was decided about. */
  isOf({ uid }: Ref): boolean {
    return uid === this.#of.uid;
  }

  /** The server has just accepted a write to this object in the version that was decided on. */
  written(object: AnyObject): void {
    if (object.metadata.uid !== this.#of.uid) return;
    this.#status = object.status;
    this.#proven = true;
  }

  /**
   * The status as it is stored, for an effect that follows at once. Throws `Stale` when the object is not the one that was decided
   * on, and `Lapsed` when the right to act was lost while the answer was on its way: a process may have slept meanwhile.
   */
  async prove(hands: Hands, signal: AbortSignal): Promise<unknown> {
    if (!this.#proven) await this.#ask(hands, signal);
    if (!this.#mayAct()) throw new Lapsed();
    return this.#status;
  }

  async #ask(hands: Hands, signal: AbortSignal): Promise<void> {
    const found = await stored(this.#type, this.#name, hands, signal);
    const { uid, resourceVersion } = this.#of;
    if (found?.metadata.uid !== uid || found.metadata.resourceVersion !== resourceVersion) {
      throw new Stale(`${describe(this.#of)} changed since it was observed`);
    }
    this.written(found);
  }
}
