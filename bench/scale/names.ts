import { createHash } from 'node:crypto';

/** The name of one FlinkDeployment of many; as long for each, so that each costs the same. */
export function nameOf(index: number): string {
  return `orders-${String(index).padStart(5, '0')}`;
}

/** The id of its job. Whoever answers for its JobManager knows it by the same rule. */
export function jobIdOf(name: string): string {
  return createHash('md5').update(name).digest('hex');
}
