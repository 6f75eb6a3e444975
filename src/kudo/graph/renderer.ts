import { UNITS_PER_CHARACTER } from '../template/budget.ts';
import { LIMITS } from '../template/limits.ts';
import { RenderBudget } from './render-budget.ts';
import { type Rendering, rendering, type Subject, type Values } from './renderings.ts';
import type { TemplateUse } from './template-uses.ts';

/** How much may be rendered, all together. One rendering alone is limited by the template engine, but there are many. */
export interface RenderLimits {
  readonly renderings: number;
  /** Characters printed, and what it took to print them in the time of so many. A million takes about a second. */
  readonly work: number;
}

/** Far more than any package needs to be rendered once. */
export const PLAN_LIMITS: RenderLimits = { renderings: 20_000, work: 30_000_000 };

/** Renders until it was too much, and nothing from then on. Time does not count, so the same is found everywhere. */
export class Renderer {
  readonly #subject: Subject;
  readonly #own: RenderBudget;
  readonly #shared: RenderBudget | undefined;

  /** `shared`: what others use as well. */
  constructor(subject: Subject, limits: RenderLimits, shared?: RenderBudget) {
    this.#subject = subject;
    this.#own = new RenderBudget(limits);
    this.#shared = shared;
  }

  /** Something was not rendered, or not to its end: what was found may not be all. */
  get exhausted(): boolean {
    return this.#own.exhausted;
  }

  render(use: TemplateUse, values: Values): Rendering | undefined {
    const left = this.#left();
    if (this.exhausted || left <= 0) {
      this.#exhaust();
      return undefined;
    }
    const budgets = [this.#own, this.#shared];
    for (const budget of budgets) budget?.begin();
    const limits = { output: Math.min(LIMITS.output, left), work: Math.min(LIMITS.work, left * UNITS_PER_CHARACTER) };
    let used = 0;
    const spent = (work: number): void => {
      used += work;
      for (const budget of budgets) budget?.spend(work);
    };
    const made = rendering(this.#subject, use, values, { limits, spent });
    if (used >= left && 'broken' in made) this.#exhaust();
    return made;
  }

  #left(): number {
    return Math.min(this.#own.left, this.#shared?.left ?? Number.POSITIVE_INFINITY);
  }

  #exhaust(): void {
    this.#own.exhaust();
    if (this.#shared && this.#shared.left <= 0) this.#shared.exhaust();
  }
}
