import type { Suite } from '../suite.ts';

/** The dashboard in a real browser, and the command line in a real terminal, on the embedded Kubernetes. */
export const dashboard: Suite = {
  name: 'dashboard',
  packages: ['chromium'],
  files: ['test/real/dashboard/'],
};
