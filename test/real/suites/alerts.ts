import type { Suite } from '../suite.ts';

/** The alerting rules of the chart, evaluated by Prometheus' own tool on series under which they must and must not fire. */
export const alerts: Suite = {
  name: 'alerts',
  files: ['test/real/alerts/'],
};
