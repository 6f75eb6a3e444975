import type { KubeObject } from '../../kube/object.ts';
import type { FlinkConfig } from '../config/flink-config.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { DependentSeen } from '../view.ts';
import { remove } from './in-the-way.ts';
import type { Effect } from './step.ts';

/** Brings the Ingress in line with what is deployed: applied when there is to be one, deleted when it is ours and there is not. */
export function ingressEffects(
  { config, uid }: { readonly config: FlinkConfig; readonly uid: string },
  live: DependentSeen | undefined,
  object: KubeObject | undefined,
): readonly Effect[] {
  if (!read(config, operatorOptions.ingressManage)) return [];
  if (object) return [{ do: 'apply', object }];
  return live && !live.terminating && live.owners.includes(uid) ? [remove(live.ref)] : [];
}
