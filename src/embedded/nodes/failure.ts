import type { Pod } from '../kinds/objects/pod.ts';
import { parseDuration } from '../programs/duration.ts';

/** Where a pod says that it wants to fail, and how. */
export const failAnnotation = 'embedded.cutover.dev/fail';

/** A failure on demand. The table in the folder's README says what each does. */
export type Failure =
  /** The image cannot be pulled, the first `times` times. */
  | { readonly mode: 'image-pull'; readonly times: number }
  /** The container exits with `exit` after it ran for `after`, the first `times` times. */
  | { readonly mode: 'crash-loop'; readonly exit: number; readonly after: number; readonly times: number }
  /** The container is killed for its memory after it ran for `after`. */
  | { readonly mode: 'out-of-memory'; readonly after: number; readonly times: number }
  /** The liveness probe fails after `after`, and the container is restarted. */
  | { readonly mode: 'liveness'; readonly after: number; readonly times: number }
  /** Runs, and never becomes ready. */
  | { readonly mode: 'never-ready' }
  /** Becomes ready only after `for`. */
  | { readonly mode: 'slow-start'; readonly for: number }
  /** Ignores SIGTERM until its grace is over. */
  | { readonly mode: 'slow-stop' }
  /** What is written there is none of these. */
  | { readonly mode: 'unknown'; readonly text: string };

const always = Number.POSITIVE_INFINITY;

/**
 * The failure that a pod asks for, for one of its containers: `MODE [container=NAME] [exit=N] [after=5s] [for=1m]
 * [times=N]`. Without `container` it concerns all but init containers.
 */
export function failureOf(pod: Pod, container: string, isInit: boolean): Failure | undefined {
  const text = pod.metadata.annotations?.[failAnnotation]?.trim();
  if (!text) return undefined;
  const [mode = '', ...rest] = text.split(/\s+/);
  const options = new Map(rest.map((part) => part.split('=', 2) as [string, string | undefined]));
  const target = options.get('container');
  if (target === undefined ? isInit : target !== container) return undefined;
  const times = Number(options.get('times') ?? always);
  const after = parseDuration(options.get('after') ?? '1s');
  const span = parseDuration(options.get('for') ?? '60s');
  const exit = Number(options.get('exit') ?? 1);
  const unknown: Failure = { mode: 'unknown', text };
  if (Number.isNaN(times) || after === undefined || span === undefined || Number.isNaN(exit)) return unknown;
  switch (mode) {
    case 'image-pull':
      return { mode, times };
    case 'crash-loop':
      return { mode, exit, after, times };
    case 'out-of-memory':
    case 'liveness':
      return { mode, after, times };
    case 'never-ready':
    case 'slow-stop':
      return { mode };
    case 'slow-start':
      return { mode, for: span };
    default:
      return unknown;
  }
}
