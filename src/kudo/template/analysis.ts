import type { Template } from './template.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What a template reads of what KUDO gives it. */
export interface TemplateUse {
  /** Parameters by name, with every place. */
  readonly params: ReadonlyMap<string, readonly Position[]>;
  readonly pipes: ReadonlySet<string>;
  /** `.Name`, `.Namespace` and the other names at the root. */
  readonly implicits: ReadonlyMap<string, readonly Position[]>;
  /** Whether `.Params` is used as a whole (ranged over, indexed by a value, passed on): any parameter may then be read. */
  readonly wholeParams: boolean;
}

export function usesOf(_template: Template): TemplateUse {
  throw new Error('being built');
}
