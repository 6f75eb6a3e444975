import type { ControlPlaneOptions } from './control-plane.ts';
import type { Cluster } from './serve.ts';

export async function startNode(_options: ControlPlaneOptions): Promise<Cluster> {
  throw new Error('the node level does not exist yet; use --level control-plane');
}
