import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

export interface FewProps<T> {
  readonly of: readonly T[];
  /** How many are shown until somebody wants to see all. */
  readonly first: number;
  readonly item: (one: T, index: number) => JSX.Element;
}

/** A list of which the beginning is what people look for. */
export function Few<T>({ of, first, item }: FewProps<T>): JSX.Element {
  const [all, setAll] = useState(false);
  return (
    <>
      <ul>{(all ? of : of.slice(0, first)).map(item)}</ul>
      {of.length > first && (
        <button type="button" class="textual" onClick={() => setAll(!all)}>
          {all ? 'show fewer' : `show all ${of.length}`}
        </button>
      )}
    </>
  );
}
