import { childSpec } from '../../manifests/blue-green-child.ts';
import type { FlinkDeploymentSpec } from '../../resources/flink-deployment.ts';
import { type BlueGreenCase, jobOf, type Spec, type Status } from './blue-green-case.ts';
import type { BlueGreenStep } from './blue-green-step.ts';
import { patchedSpec, replacedSpec, specPatch } from './in-place.ts';
import type { Side } from './side.ts';

/**
 * Changes a side where it is: the FlinkDeployment is patched if it is still the one that was looked at; once it is seen to
 * be as it should, or is going anyway, `then` is written. Whoever dies in between finds one or the other.
 */
export function inPlace(
  side: Side,
  spec: FlinkDeploymentSpec,
  then: Status,
  c: BlueGreenCase,
  because: string,
): BlueGreenStep {
  const patch = side.seen && !side.seen.terminating ? specPatch(side.seen, spec) : undefined;
  return patch ? { status: c.status, effects: [patch], because } : { status: then, because, again: true };
}

/** The spec of a side with exactly what differs between two templates. */
export function patchedBy({ color, seen }: Side, before: Spec, desired: Spec): FlinkDeploymentSpec {
  const live = seen?.spec ?? {};
  const path = live.job?.initialSavepointPath;
  return patchedSpec(live, childSpec(before, color, path), childSpec(desired, color, path));
}

/** The spec of a side made anew from a template. The user's path counts only where the side itself is to start from it. */
export function replacedBy({ color, seen }: Side, desired: Spec, takePath: boolean): FlinkDeploymentSpec {
  const path = jobOf(desired).initialSavepointPath;
  return replacedSpec(seen?.spec ?? {}, childSpec(desired, color, path), { takePath });
}
