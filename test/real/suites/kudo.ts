import type { Suite } from '../suite.ts';

/** Packages on the real node: which changes restart pods and which do not, judged by the uids of the pods. */
export const kudo: Suite = {
  name: 'kudo',
  cluster: { level: 'node' },
  files: ['test/real/kudo/'],
};
