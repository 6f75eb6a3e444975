import type { RenderLimits } from './renderer.ts';

/** What several renderers may use together, each within limits of its own. */
export class RenderBudget {
  #renderings: number;
  #work: number;
  #exhausted = false;

  constructor(limits: RenderLimits) {
    this.#renderings = limits.renderings;
    this.#work = limits.work;
  }

  /** Somebody was refused, or did not get to the end: what was found may not be all. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** How much work is left. Nothing is left as soon as there may be no more renderings. */
  get left(): number {
    return this.#renderings > 0 ? this.#work : 0;
  }

  begin(): void {
    this.#renderings--;
  }

  spend(work: number): void {
    this.#work -= work;
  }

  exhaust(): void {
    this.#exhausted = true;
  }
}
