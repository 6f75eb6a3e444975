import type { Part } from '../../rig/parts.ts';
import type { Progress } from '../../rig/progress.ts';
import type { Level } from '../../rig/run.ts';

/** Tests that run on real parts: which tests, and which parts they need. */
export interface Suite {
  /** What people type: `npm run test:real -- NAME`. */
  readonly name: string;
  /** Parts of the rig that must be there, besides those its cluster brings. */
  readonly parts?: readonly Part[];
  /** Debian packages that must be there; installed if they are missing (as root). */
  readonly packages?: readonly string[];
  /** The cluster to run on; missing when the tests start their own. */
  readonly cluster?: {
    readonly level: Level;
    /** More flags of `npm run rig -- serve`. */
    readonly flags?: readonly string[];
    /** Has ready what the cluster needs and what changes with the sources; more flags come of it. */
    readonly prepare?: (progress: Progress) => Promise<readonly string[]>;
  };
  /** Test files or folders, from the root of the repository. */
  readonly files: readonly string[];
  /** Variables for the tests, besides `CUTOVER_KUBECONFIG` and `PATH`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Runs only when it is named. Default false. */
  readonly onlyWhenNamed?: boolean;
}
