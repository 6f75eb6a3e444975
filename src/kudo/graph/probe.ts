import type { KubeObject } from '../../kube/object.ts';
import type { Parameter } from '../resources/operator-version.ts';
import { changedFields, type FieldPath } from './changed-fields.ts';
import { GRAPH_LIMITS, type GraphLimits } from './graph.ts';
import { isOnlyPrinted, otherValues } from './other-values.ts';
import { own } from './own.ts';
import { Renderer } from './renderer.ts';
import type { Rendering, Subject, Values } from './renderings.ts';
import type { TemplateUse } from './template-uses.ts';

/** Objects that change with a parameter, by id, and where. */
export type Reach = ReadonlyMap<string, { readonly object: KubeObject; readonly fields: readonly FieldPath[] }>;

/** Finds by rendering twice what a parameter reaches. Finds nothing more when there was too much to render. */
export class Probe {
  readonly #subject: Subject;
  readonly #values: Values;
  readonly #limits: GraphLimits;
  readonly #present = new Map<TemplateUse, Rendering>();
  readonly #renderer: Renderer;

  constructor(subject: Subject, values: Values, limits: GraphLimits = GRAPH_LIMITS) {
    this.#subject = subject;
    this.#values = values;
    this.#limits = limits;
    this.#renderer = new Renderer(subject, { renderings: limits.probes, work: limits.work });
  }

  /** Some renderings were not made: what was found may not be all. */
  get exhausted(): boolean {
    return this.#renderer.exhausted;
  }

  /** What the template makes with the present values. */
  present(use: TemplateUse): Rendering {
    const known = this.#present.get(use);
    if (known) return known;
    const made = this.#renderer.render(use, this.#values) ?? { objects: new Map() };
    this.#present.set(use, made);
    return made;
  }

  /**
   * What a parameter changes in what the template makes, by the id of the object. An object that is there only with one of the
   * values changes as a whole: the way to its field is empty.
   */
  reach(use: TemplateUse, parameter: Parameter): Reach {
    const reach = new Map<string, { readonly object: KubeObject; readonly fields: Map<string, FieldPath> }>();
    const present = this.present(use);
    if (!('objects' in present)) return new Map();
    const text = own(this.#subject.operatorVersion.spec.templates, use.template) ?? '';
    const value = own(this.#values, parameter.name) ?? parameter.default ?? '';
    const printed = isOnlyPrinted(parameter.name, text);
    for (const other of otherValues(parameter, value, text)) {
      if (printed && reach.size > 0) break;
      const made = this.#renderer.render(use, { ...this.#values, [parameter.name]: other });
      if (made === undefined) break;
      if (!('objects' in made)) continue;
      for (const id of new Set([...present.objects.keys(), ...made.objects.keys()])) {
        const [before, after] = [present.objects.get(id), made.objects.get(id)];
        const object = before ?? after;
        const changed = changedFields(before, after, this.#limits).fields;
        if (object === undefined || changed.length === 0) continue;
        const known = reach.get(id) ?? { object, fields: new Map() };
        for (const path of changed)
          if (known.fields.size < this.#limits.fields) known.fields.set(path.join('\0'), path);
        reach.set(id, known);
      }
    }
    return new Map([...reach].map(([id, { object, fields }]) => [id, { object, fields: [...fields.values()] }]));
  }
}
