import { equal } from '../../../change/equal.ts';
import { type JsonPatchOperation, type PatchAction, refTo } from '../../../control/decision.ts';
import type { Json } from '../../../kube/object.ts';
import { annotations } from '../../keys.ts';
import { podTemplate, setAnnotations, setLabels } from '../../manifests/stateful-set.ts';
import type { AppWorkloadView } from '../../observe/app-workload-view.ts';
import type { StatefulSet } from '../../observe/kube-shapes.ts';
import type { LiveSet } from './live-set.ts';
import type { Shape } from './shape.ts';

/**
 * The one write that gives a StatefulSet its shape and, if it has another revision, the template of the wanted one; none if
 * all is as it should be. A template of the wanted revision is never touched, whoever wrote it: a pod is not restarted for
 * being described differently.
 *
 * Whole parts are replaced, not merged: nothing that a previous runner wrote into the template stays behind.
 */
export function rollPatch(
  { workload, settings, recordedTemplate }: AppWorkloadView,
  set: StatefulSet,
  live: LiveSet,
  shape: Shape,
): PatchAction | undefined {
  const { spec } = workload;
  const renewed = live.version !== spec.version && shape.roll !== undefined;
  const before = { labels: set.metadata.labels ?? {}, annotations: set.metadata.annotations ?? {} };
  const patch: JsonPatchOperation[] = [];
  const put = (path: string, value: unknown, present: unknown): void => {
    if (!equal(value, present)) patch.push({ op: 'add', path, value: value as Json });
  };
  if (renewed) {
    put('/spec/template', recordedTemplate ?? podTemplate(workload, settings.runner), undefined);
    put('/metadata/labels', { ...before.labels, ...setLabels(workload) }, before.labels);
  }
  put('/spec/replicas', shape.replicas, set.spec?.replicas);
  if (shape.roll) {
    const { partition, maxUnavailable } = shape.roll;
    const said = set.spec?.updateStrategy;
    const wanted = { type: 'RollingUpdate', rollingUpdate: { partition, maxUnavailable } };
    // What the server drops is not missed.
    const seen = live.grants ? said : { ...said, rollingUpdate: { ...said?.rollingUpdate, maxUnavailable } };
    put('/spec/updateStrategy', wanted, seen);
    const { [annotations.surge]: _surge, ...rest } = before.annotations;
    const marked = shape.roll.over ? {} : { [annotations.surge]: String(shape.replicas - spec.instances) };
    put('/metadata/annotations', { ...rest, ...(renewed && setAnnotations(spec)), ...marked }, before.annotations);
  }
  return patch.length === 0 ? undefined : { do: 'patch', of: refTo(set), patch };
}
