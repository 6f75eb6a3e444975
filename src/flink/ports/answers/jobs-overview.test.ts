import { expect, it } from 'vitest';
import { jobsOverview } from './jobs-overview.ts';

const job = (tasks: object) => ({
  jobs: [{ jid: '0123456789abcdef0123456789abcdef', name: 'count', state: 'RUNNING', 'start-time': 1, tasks }],
});

it.each([
  ['has all its tasks', { total: 4, running: 3, finished: 1, scheduled: 0, created: 0 }, {}],
  [
    'restores state',
    { total: 4, running: 2, finished: 0, scheduled: 0, created: 0, initializing: 2 },
    { starting: true },
  ],
  [
    'waits for slots',
    { total: 4, running: 0, finished: 0, scheduled: 4, created: 0 },
    { starting: true, waiting: true },
  ],
])('tells whether a job %s', (_, tasks, told) => {
  const [{ starting, waiting } = {}] = jobsOverview.parse(job(tasks));
  expect({ ...(starting && { starting }), ...(waiting && { waiting }) }).toEqual(told);
});
