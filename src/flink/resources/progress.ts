import * as z from 'zod';
import { conditions } from '../../schema/conditions.ts';
import type { Exact } from '../../schema/exact.ts';
import { disposal } from './disposal.ts';
import { causes, type Transition, transition } from './transition.ts';

const nonces = z.object({
  restart: z.int().optional(),
  savepointTrigger: z.int().optional(),
  checkpointTrigger: z.int().optional(),
  savepointRedeploy: z.int().optional(),
  statelessRedeploy: z.int().optional(),
  autoscalerReset: z.int().optional(),
});

const historyEntry = z.object({
  id: z.string().describe('The id that the transition had.'),
  cause: z.enum(causes).describe('Why something was redone.'),
  because: z.string().describe('The cause in one sentence.'),
  generation: z.int().describe('The generation of the spec that it aimed at.'),
  startedAt: z.string(),
  endedAt: z.string(),
  outcome: z.string().describe('How it ended.'),
  steps: z.array(z.string()).optional().describe('What was done, in order.'),
});

const droppedState = z.object({
  location: z.string().optional().describe('Where the state still lies; absent when nobody knows.'),
  kind: z.string().describe('What it is: a savepoint, a checkpoint, or unknown.'),
  at: z.string().describe('When it was left behind.'),
  knownAt: z.string().optional().describe('When its location was last known to be right.'),
});

/**
 * What Cutover itself keeps in the status of every job, beside the fields that the upstream has. The upstream leaves
 * fields alone that it does not know, so going back to it and coming again loses nothing.
 */
export const progress = {
  attempt: z.int().optional().describe('How many effects were ever begun; ids derive from it. Never goes back.'),
  nonces: nonces.optional().describe('The last value of each nonce that was acted upon; outlives its removal.'),
  transition: transition.optional().describe('Everything about the change under way; absent when there is none.'),
  history: z.array(historyEntry).max(10).optional().describe('The last changes, the newest first.'),
  droppedState: droppedState.optional().describe('The state that the last redeploy left behind.'),
  lastExceptionAt: z.int().optional().describe('The newest exception of the job that became an event; its time.'),
  disposal: disposal.optional().describe('The savepoint of the history that is being removed.'),
  conditions,
};

export type Nonces = Exact<z.output<typeof nonces>>;
export type HistoryEntry = Exact<z.output<typeof historyEntry>>;
export type DroppedState = Exact<z.output<typeof droppedState>>;

/** A status type whose `transition` is the very type that decisions build. */
export type WithTransition<T> = Omit<T, 'transition'> & { readonly transition?: Transition };
