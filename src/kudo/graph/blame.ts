import type { KubeObject } from '../../kube/object.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { changedFields, type FieldPath } from './changed-fields.ts';
import { GRAPH_LIMITS } from './graph.ts';
import { own } from './own.ts';
import type { PlanObject } from './plan-objects.ts';
import { readsOf } from './reads.ts';
import type { Renderer } from './renderer.ts';
import type { Rendering, Values } from './renderings.ts';
import type { TemplateUse } from './template-uses.ts';

/** A field that changed, and the parameters that did it. */
export interface Blamed {
  readonly field: FieldPath;
  readonly parameters: readonly string[];
}

/** More parameters that change at once than this are not told apart by rendering. */
const most = 20;

export interface ChangedValues {
  readonly from: Values;
  readonly to: Values;
  readonly changed: readonly string[];
}

/** What a template makes without the change, and with each suspect changed alone and taken back alone. */
interface Trials {
  readonly before: Rendering;
  readonly suspects: readonly {
    readonly name: string;
    readonly alone: Rendering;
    readonly takenBack: Rendering;
  }[];
}

/**
 * Which of the changed parameters changed which fields of an object: each is changed alone, and taken back alone. Where
 * neither shows it (only several together do), or too much would have to be rendered, all that the template reads are to blame.
 */
export class Blame {
  readonly #version: OperatorVersion;
  readonly #renderer: Renderer;
  readonly #change: ChangedValues;
  /** A template may make many objects, and is looked at once for all of them. Without trials its suspects are not told apart. */
  readonly #known = new Map<
    TemplateUse,
    { readonly suspects: readonly string[]; readonly trials: Trials | undefined }
  >();

  constructor(version: OperatorVersion, renderer: Renderer, change: ChangedValues) {
    this.#version = version;
    this.#renderer = renderer;
    this.#change = change;
  }

  of({ id, object, use }: PlanObject, fields: readonly FieldPath[]): readonly Blamed[] {
    const { suspects, trials } = this.#lookedAt(use);
    if (trials === undefined) return fields.map((field) => ({ field, parameters: suspects }));
    const before = 'objects' in trials.before ? trials.before.objects.get(id) : undefined;
    const changedBy = trials.suspects.map(({ name, alone, takenBack }) => ({
      name,
      fields: new Set([
        ...('objects' in trials.before ? touched(before, alone, id) : []),
        ...touched(object, takenBack, id),
      ]),
    }));
    return fields.map((field) => {
      const guilty = changedBy.filter((one) => one.fields.has(keyOf(field))).map(({ name }) => name);
      return { field, parameters: guilty.length > 0 ? guilty : suspects };
    });
  }

  #lookedAt(use: TemplateUse): { readonly suspects: readonly string[]; readonly trials: Trials | undefined } {
    const known = this.#known.get(use);
    if (known) return known;
    const suspects = this.#suspects(use);
    const found = { suspects, trials: this.#tried(use, suspects) };
    this.#known.set(use, found);
    return found;
  }

  #suspects({ template }: TemplateUse): readonly string[] {
    const { changed } = this.#change;
    const reads = readsOf(this.#version, template);
    const read = changed.filter((name) => reads.any || reads.params.has(name));
    return read.length > 0 ? read : changed;
  }

  #tried(use: TemplateUse, suspects: readonly string[]): Trials | undefined {
    if (suspects.length <= 1 || suspects.length > most) return undefined;
    const { from, to } = this.#change;
    const before = this.#renderer.render(use, from);
    const tried: Trials['suspects'][number][] = [];
    for (const name of suspects) {
      const alone = this.#renderer.render(use, withValueOf(from, to, name));
      const takenBack = this.#renderer.render(use, withValueOf(to, from, name));
      if (alone && takenBack) tried.push({ name, alone, takenBack });
    }
    // Who was not tried must not look innocent.
    return before === undefined || this.#renderer.exhausted ? undefined : { before, suspects: tried };
  }
}

/** The values, with one as it is in others; absent there, absent here. */
function withValueOf(values: Values, others: Values, name: string): Values {
  const rest = Object.entries(values).filter(([key]) => key !== name);
  const other = own(others, name);
  return Object.fromEntries(other === undefined ? rest : [...rest, [name, other]]);
}

function touched(before: KubeObject | undefined, made: Rendering, id: string): readonly string[] {
  if (!('objects' in made)) return [];
  return changedFields(before, made.objects.get(id), GRAPH_LIMITS).fields.map(keyOf);
}

const keyOf = (field: FieldPath): string => field.join('\0');
