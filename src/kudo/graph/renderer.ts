import { UNITS_PER_CHARACTER } from '../template/budget.ts';
import { LIMITS } from '../template/limits.ts';
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
  #renderings: number;
  #work: number;
  #exhausted = false;

  constructor(subject: Subject, limits: RenderLimits) {
    this.#subject = subject;
    this.#renderings = limits.renderings;
    this.#work = limits.work;
  }

  /** Something was not rendered, or not to its end: what was found may not be all. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  render(use: TemplateUse, values: Values): Rendering | undefined {
    if (this.#exhausted || this.#renderings-- <= 0 || this.#work <= 0) {
      this.#exhausted = true;
      return undefined;
    }
    const limits = {
      output: Math.min(LIMITS.output, this.#work),
      work: Math.min(LIMITS.work, this.#work * UNITS_PER_CHARACTER),
    };
    const made = rendering(this.#subject, use, values, {
      limits,
      spent: (work) => {
        this.#work -= work;
      },
    });
    if (this.#work <= 0 && 'broken' in made) this.#exhausted = true;
    return made;
  }
}
