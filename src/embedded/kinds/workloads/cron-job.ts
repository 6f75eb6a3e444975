import type { AnyObject } from '../../../kube/object.ts';
import type { Strategy } from '../../resource.ts';
import { invalidValue, requiredValue, unsupportedValue } from '../../schema/field-error.ts';
import type { FieldError } from '../../status-error.ts';
import { nonNegative } from '../checks.ts';
import { fill, fillEmpty, inside } from '../draft.ts';
import { validateBuiltIn } from '../object-meta.ts';
import type { CronJob } from '../objects/workload.ts';
import { dns1123Subdomain, type Syntax } from '../syntax.ts';
import { withStatus } from '../with-status.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { validateJobSpec } from './job.ts';
import { defaultTemplate } from './template.ts';

const asCronJob = (object: AnyObject): CronJob => object as unknown as CronJob;

/** Jobs get an eleven characters long suffix, and their names may have 63. */
const cronName: Syntax = (value) =>
  value.length > 52 ? [...dns1123Subdomain(value), 'must be no more than 52 characters'] : dns1123Subdomain(value);

export const cronJobStrategy: Strategy = {
  ...withStatus(() => ({})),
  defaults(draft) {
    const spec = inside(draft, 'spec');
    if (!spec) return;
    fillEmpty(spec, { concurrencyPolicy: 'Allow' });
    fill(spec, { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
    const template = inside(spec, 'jobTemplate');
    if (!template) return;
    inside(template, 'metadata');
    defaultTemplate(inside(template, 'spec'));
  },
  validate(object, before) {
    const { spec } = asCronJob(object);
    const policies = ['Allow', 'Forbid', 'Replace'];
    const policy = spec.concurrencyPolicy ?? '';
    return [
      ...validateBuiltIn(object, before, cronName),
      ...validateSchedule(spec.schedule, spec.timeZone),
      ...nonNegative('spec.startingDeadlineSeconds', spec.startingDeadlineSeconds),
      ...(policies.includes(policy) ? [] : [unsupportedValue('spec.concurrencyPolicy', policy, policies)]),
      ...validateJobSpec('spec.jobTemplate.spec', spec.jobTemplate.spec),
      ...nonNegative('spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit),
      ...nonNegative('spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit),
    ];
  },
};

function validateSchedule(schedule: string | undefined, timeZone: string | undefined): readonly FieldError[] {
  if (!schedule) return [requiredValue('spec.schedule')];
  const wrong: FieldError[] = [];
  if (/(^|\s)(CRON_)?TZ=/.test(schedule)) {
    wrong.push(
      invalidValue('spec.schedule', schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'),
    );
  } else {
    const problem = scheduleProblem(schedule);
    if (problem) wrong.push(invalidValue('spec.schedule', schedule, problem));
  }
  if (timeZone === undefined) return wrong;
  if (timeZone === '') wrong.push(invalidValue('spec.timeZone', timeZone, 'timeZone must be nil or non-empty string'));
  else if (timeZone.toLowerCase() === 'local') {
    wrong.push(
      invalidValue(
        'spec.timeZone',
        timeZone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    );
  } else if (!isTimeZone(timeZone)) {
    wrong.push(invalidValue('spec.timeZone', timeZone, `unknown time zone ${timeZone}`));
  }
  return wrong;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
