import type { Json } from '../kube/object.ts';

/** Which release of a chart is made, and where. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
}

/** What templates see, apart from `.Files` and functions, which the engine makes of `files`. */
export interface TemplateWorld {
  readonly values: Json;
  readonly release: Release;
  readonly chart: { readonly name: string; readonly version: string; readonly appVersion: string };
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Renders all templates of a chart, which share what they define, and gives the text of each file that is no collection of
 * definitions. This folder knows no template language: the composition root hands the engine in.
 *
 * Errors: an `Error` with the file, the place in it and what is wrong. A template that calls `fail` says so on purpose: those errors are
 * `ChartRefusal`.
 */
export type ChartEngine = (
  templates: Readonly<Record<string, string>>,
  world: TemplateWorld,
) => Readonly<Record<string, string>>;

/** The chart itself says no to these values: its message is for whoever gave them. */
export class ChartRefusal extends Error {
  override readonly name = 'ChartRefusal';
}
