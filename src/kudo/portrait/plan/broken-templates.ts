import type { Renderer } from '../../graph/renderer.ts';
import type { Values } from '../../graph/renderings.ts';
import { templateUses } from '../../graph/template-uses.ts';
import type { OperatorVersion } from '../../resources/operator-version.ts';

/** Templates that a plan will fail at with these values. Why is said when it runs: the reason may quote a value. */
export function brokenTemplates(
  version: OperatorVersion,
  plan: string,
  values: Values,
  renderer: Renderer,
): readonly string[] {
  const found: string[] = [];
  for (const use of templateUses(version, [plan])) {
    const made = renderer.render(use, values);
    // What was not rendered to its end for want of time is not broken.
    if (made === undefined || renderer.exhausted) break;
    if (!('broken' in made)) continue;
    const { line } = made.broken;
    const where = line === undefined ? '' : `, line ${line}`;
    found.push(
      `plan ${plan} will fail at ${use.phase}/${use.step}: ${use.template}${where} cannot be rendered with these values`,
    );
  }
  return found;
}
