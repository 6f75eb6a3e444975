import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

export interface CardProps {
  readonly title: string;
  /** Beside the title. */
  readonly aside?: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a screen, with a title that names it for those who hear the page. */
export function Card({ title, aside, children, class: more = '' }: CardProps): JSX.Element {
  const id = useId();
  return (
    <section class={`card ${more}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
