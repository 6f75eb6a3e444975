import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../src/clock/clock.ts';
import type { AnyController } from '../../src/control/operator.ts';

/** One look of a controller at a key: whatever comes of it was decided on what the process knew when it began, or later. */
export interface Look {
  /** Which controller, and at what: there is never more than one such look at a time. */
  readonly of: string;
  /** By the monotonic clock. */
  readonly began: number;
}

/** Tells of each request of a process which look it came of. */
export class Looks {
  readonly #clock: Clock;
  readonly #present = new AsyncLocalStorage<Look>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The look that the running code is part of. */
  get present(): Look | undefined {
    return this.#present.getStore();
  }

  /** The controller, whose looks are told apart from now on. */
  of(name: string, controller: AnyController): AnyController {
    return {
      ...controller,
      observe: (key, glance) => {
        // It holds for the caller, too, who decides and acts after it has awaited this.
        this.#present.enterWith({ of: `${name} ${key}`, began: this.#clock.monotonic() });
        return controller.observe(key, glance);
      },
    };
  }
}
