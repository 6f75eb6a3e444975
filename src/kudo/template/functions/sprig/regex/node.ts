import type { CharacterClass } from './character-class.ts';

/** A part of a regular expression. */
export type Node =
  | { readonly kind: 'class'; readonly class: CharacterClass }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'capture'; readonly index: number; readonly body: Node }
  | { readonly kind: 'concat'; readonly parts: readonly Node[] }
  | { readonly kind: 'alternate'; readonly parts: readonly Node[] }
  /** At least `min`, at most `max` times; as many as possible if greedy, else as few. */
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number;
      readonly greedy: boolean;
    };

/** What must be true between two characters. */
export type Assertion = 'beginText' | 'endText' | 'beginLine' | 'endLine' | 'wordBoundary' | 'noWordBoundary';

export interface Regex {
  readonly root: Node;
  readonly groups: number;
  /** Several groups may have the same name. */
  readonly names: ReadonlyMap<string, readonly number[]>;
}
