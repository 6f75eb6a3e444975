import type { JSX } from 'preact';

/** Drawn on a field of 16 by 16, by lines of width 1.6. */
const drawings = {
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8M12 4l-8 8',
  alert: 'M8 2.5 14.5 13.500H1.500ZM8 6.500v3.500M8 12v.1',
  hand: 'M5 8.500V4a1 1 0 0 1 2 0v3.500M7 7V3a1 1 0 0 1 2 0v4M9 7V4a1 1 0 0 1 2 0v4M11 7.500a1 1 0 0 1 2 0V10a4.5 4.5 0 0 1-8.2 2.600L2.7 9.700a1 1 0 0 1 1.6-1.200L5 9.5',
  turn: 'M13.5 8A5.5 5.5 0 1 1 11 3.400M11 1v2.600h2.6',
  pause: 'M5.5 3.500v9M10.5 3.500v9',
  stop: 'M4 4h8v8H4Z',
  trash: 'M2.5 4.500h11M6 4V2.500h4V4M4 4.500l.7 9h6.600l.7-9',
  question: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.200C8.3 8.6 8 9.1 8 10M8 12.500v.1',
  circle: 'M8 3.500a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9',
  dot: 'M8 6.500a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3',
  skip: 'M3 4l5 4-5 4ZM12 4v8',
  copy: 'M5.5 5.500h8v8h-8ZM10.5 5.500v-3h-8v8h3',
  search: 'M7 2.500a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.500l3.5 3.5',
  sun: 'M8 5.200a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.600M8 1v1.500M8 13.500V15M1 8h1.500M13.5 8H15M3 3l1.1 1.100M11.9 11.9 13 13M13 3l-1.1 1.100M4.1 11.9 3 13',
  moon: 'M13.5 9.800A6 6 0 1 1 6.2 2.500a4.8 4.8 0 0 0 7.3 7.3',
  screen: 'M2 3h12v8H2ZM6 13.500h4',
  left: 'M9.5 3.5 5 8l4.5 4.5',
  lines: 'M3 4h10M3 8h10M3 12h6',
  graph: 'M3.5 2.500h3v3h-3ZM9.5 10.500h3v3h-3ZM9.5 2.500h3v3h-3ZM6.5 4h3M5 5.500c0 4 1 6.5 4.5 6.5',
  leave: 'M9.5 3h-6v10h6M7 8h7M11.5 5.5 14 8l-2.5 2.5',
} as const;

export type IconName = keyof typeof drawings;

/** Decoration beside a word that says the same; `turning` for what is going on right now. */
export function Icon({ name, turning }: { readonly name: IconName; readonly turning?: boolean }): JSX.Element {
  return (
    <svg
      class={turning ? 'icon turning' : 'icon'}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={drawings[name]} />
    </svg>
  );
}
