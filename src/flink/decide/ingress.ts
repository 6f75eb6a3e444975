import type { KubeObject } from '../../kube/object.ts';
import { operatorOptions } from '../config/operator-options.ts';
import { read } from '../config/option.ts';
import type { JobCase } from './job-case.ts';
import type { Effect } from './step.ts';

/** Brings the Ingress in line with what is deployed: applied when there is to be one, deleted when it is ours and there is not. */
export function ingressEffects(c: JobCase, object: KubeObject | undefined): readonly Effect[] {
  if (!read(c.config, operatorOptions.ingressManage)) return [];
  if (object) return [{ do: 'apply', object }];
  const live = c.cluster.ingress;
  if (!live || live.terminating || !live.owners.includes(c.uid)) return [];
  const { resourceVersion: _, ...ref } = live.ref;
  return [{ do: 'delete', of: ref }];
}
