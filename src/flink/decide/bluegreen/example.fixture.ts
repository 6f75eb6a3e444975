import type { Color } from '../../resources/blue-green-transition.ts';
import type { Story } from './story.fixture.ts';
import { job } from './view.fixture.ts';

/** One row of the table at work. */
export interface Example {
  /** What happened, in the words of the table that the rows were made from. */
  readonly when: string;
  given(x: Color): Story;
  /** The state and job state after one look, `x` and `y` for the colours. */
  readonly leads: string;
  /** What is done to FlinkDeployments, snapshots and Ingresses in that look: `create y`, `create savepoint`. */
  readonly does?: readonly string[];
  /** Conditions that matter, as `Type=True Reason`. */
  readonly says?: readonly string[];
  /** What else is to be seen. */
  check?(story: Story): void;
}

/** Examples by the id of their row, in the order of the table. */
export type Examples = Readonly<Record<string, readonly Example[]>>;

export const suspend = job({ state: 'suspended' });
export const fromMine = job({ savepointRedeployNonce: 7, initialSavepointPath: 's3://mine' });
export const fromNothing = job({ statelessRedeployNonce: 7 });
