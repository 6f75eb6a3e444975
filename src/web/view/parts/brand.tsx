import type { JSX } from 'preact';

/** Two ways that cross: the traffic goes over from one to the other. */
export function Brand(): JSX.Element {
  return (
    <svg viewBox="0 0 32 32" fill="none" stroke-width="3" stroke-linecap="round" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#0f172a" />
      <path d="M7 11h6c5 0 3 10 8 10h4" stroke="#38bdf8" />
      <path d="M7 21h6c2 0 2.8-1.6 3.4-3.5M18.5 14c.6-1.7 1.3-3 2.5-3h4" stroke="#34d399" />
    </svg>
  );
}
