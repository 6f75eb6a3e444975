import type { AnyObject } from '../../../kube/object.ts';
import type { Edit, Plan } from '../../../portrait/plan.ts';
import type { Around } from '../../../portrait/workload.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { blueGreenChange } from '../../resources/blue-green-change.ts';
import { validateBlueGreen } from '../../validate/blue-green.ts';
import { fieldChanges } from '../field-changes.ts';
import { blueGreenLook } from './blue-green-look.ts';

export function planBlueGreen(edit: Edit<AnyObject>, _around: Around, operator: OperatorConfig): Plan {
  const after = blueGreenLook(edit.after, operator);
  const before = edit.before && blueGreenLook(edit.before, operator);
  const changes = before
    ? fieldChanges(blueGreenChange(before.resource.spec, after.resource.spec).changes, 'spec.template.')
    : [];
  return {
    subject: after.subject,
    risk: before && changes.length === 0 ? 'none' : 'quiet',
    line: 'not worked out yet',
    changes,
    steps: [],
    restarts: [],
    state: { outcome: 'unknown', sentence: 'Not known.' },
    availability: { serves: 'unknown', sentence: 'Not known.' },
    undo: { possible: true, sentence: 'Put the template back.' },
    warnings: [],
    problems: validateBlueGreen(after.resource, { operator }),
  };
}
