import { PortError, type Ports } from '../../src/control/port.ts';
import type { Json } from '../../src/kube/object.ts';

/** Bulbs made under one id, and how often they have blinked. */
export interface Batch {
  readonly id: string;
  readonly lamp: string;
  readonly image: string;
  readonly counter: number;
}

/** What a measurement found. */
export interface Receipt {
  readonly id: string;
  readonly lamp: string;
  readonly counter: number;
}

/**
 * A made-up world outside of Kubernetes: it makes batches of bulbs that count how often they blink.
 *
 * `order` and `scrap` know their ids: asking twice is asking once. `measure` does not: every call makes another receipt,
 * which is what a careless operator would be caught by.
 */
export class Factory {
  readonly batches = new Map<string, Batch>();
  readonly receipts: Receipt[] = [];
  /** Images that it will not make. */
  readonly refused = new Set<string>();
  /** How often each call reached it, by verb and id. */
  readonly asked = new Map<string, number>();
  /** How often it was looked at: nothing that is idle should be. */
  looks = 0;

  order(id: string, lamp: string, image: string, counter: number): Batch {
    if (this.refused.has(image)) throw new PortError('refused', `the factory does not make ${image}`);
    const batch = this.batches.get(id) ?? { id, lamp, image, counter };
    this.batches.set(id, batch);
    return batch;
  }

  measure(id: string, lamp: string, batch: string): number {
    const counter = this.batches.get(batch)?.counter ?? 0;
    this.receipts.push({ id, lamp, counter });
    return counter;
  }

  scrap(lamp: string): void {
    for (const batch of this.batches.values()) if (batch.lamp === lamp) this.batches.delete(batch.id);
  }

  /** All that is known about a lamp. */
  look(lamp: string): { readonly batches: readonly Batch[]; readonly receipts: readonly Receipt[] } {
    this.looks += 1;
    return {
      batches: [...this.batches.values()].filter((batch) => batch.lamp === lamp),
      receipts: this.receipts.filter((receipt) => receipt.lamp === lamp),
    };
  }

  blink(id: string, times: number): void {
    const batch = this.batches.get(id);
    if (batch) this.batches.set(id, { ...batch, counter: batch.counter + times });
  }

  /** The factory as the verbs of a port. */
  ports(): Ports {
    return {
      factory: {
        order: async ({ id, args }) => {
          this.#count('order', id);
          const { lamp, image, counter, token } = args as {
            lamp: string;
            image: string;
            counter: number;
            token?: string;
          };
          if (token === 'expired') throw new PortError('refused', 'the token does not open the factory');
          return { ...this.order(id, lamp, image, counter) } satisfies Json;
        },
        measure: async ({ id, args }) => {
          this.#count('measure', id);
          const { lamp, batch } = args as { lamp: string; batch: string };
          return this.measure(id, lamp, batch);
        },
        scrap: async ({ id, args }) => {
          this.#count('scrap', id);
          this.scrap((args as { lamp: string }).lamp);
          return null;
        },
      },
    };
  }

  #count(verb: string, id: string): void {
    this.asked.set(`${verb} ${id}`, (this.asked.get(`${verb} ${id}`) ?? 0) + 1);
  }
}
