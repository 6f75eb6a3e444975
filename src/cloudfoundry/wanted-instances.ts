import type { CfProcess } from './resources/cf-process.ts';

/** How many instances a process should have while its app is started: what users say, else what its type has by default. */
export function wantedInstances({ desiredInstances, processType }: CfProcess['spec']): number {
  return desiredInstances ?? (processType === 'web' ? 1 : 0);
}
