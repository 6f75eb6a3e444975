import type { Machine } from '../../../portrait/portrait.ts';
import type { JobLook } from './job-look.ts';

const states = [
  'CREATED',
  'UPGRADING',
  'DEPLOYED',
  'STABLE',
  'SUSPENDED',
  'ROLLING_BACK',
  'ROLLED_BACK',
  'FAILED',
  'DELETING',
] as const;

const edges: Machine['edges'] = [
  { from: 'CREATED', to: 'UPGRADING', label: 'the first deployment' },
  { from: 'UPGRADING', to: 'DEPLOYED', label: 'deployed' },
  { from: 'UPGRADING', to: 'SUSPENDED', label: 'suspended' },
  { from: 'DEPLOYED', to: 'STABLE', label: 'the job runs' },
  { from: 'DEPLOYED', to: 'ROLLING_BACK', label: 'not stable in time' },
  { from: 'DEPLOYED', to: 'FAILED', label: 'the job failed' },
  { from: 'DEPLOYED', to: 'UPGRADING', label: 'the spec changed' },
  { from: 'STABLE', to: 'UPGRADING', label: 'the spec changed' },
  { from: 'STABLE', to: 'FAILED', label: 'the job failed' },
  { from: 'SUSPENDED', to: 'UPGRADING', label: 'resumed' },
  { from: 'ROLLING_BACK', to: 'ROLLED_BACK', label: 'the spec before runs' },
  { from: 'ROLLED_BACK', to: 'UPGRADING', label: 'the spec changed' },
  { from: 'FAILED', to: 'UPGRADING', label: 'the spec changed' },
  { from: 'STABLE', to: 'DELETING', label: 'deleted' },
];

/** The lifecycle of a job or a session cluster. */
export function machineOf({ lifecycle }: Pick<JobLook, 'lifecycle'>): Machine {
  return { states: states.map((name) => ({ name, current: name === lifecycle })), edges };
}
