import type { Fact } from '../../../portrait/portrait.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import { errorMessage } from '../../decide/error-text.ts';
import { brief, sinceText, spanText } from '../wording.ts';
import type { BlueGreenLook } from './blue-green-look.ts';
import { restored } from './sides.ts';

/** What a person on call asks about beside the five answers. */
export function factsOf(l: BlueGreenLook, { sides, now }: BlueGreenView): readonly Fact[] {
  const { resource, settings, status, transition, serving } = l;
  const { template, ingress } = resource.spec;
  const { flinkVersion, image, job } = template?.spec ?? {};
  const its = serving && sides[serving]?.status;
  const saved = status.lastSavepoint;
  const age = sinceText(saved?.at, now);
  const dropped = its?.droppedState;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Flink version', flinkVersion],
    ['image', image],
    ['job id', its?.jobStatus?.jobId],
    ['parallelism', job?.parallelism === undefined ? undefined : String(job.parallelism)],
    ['upgrade mode', job && (job.upgradeMode ?? 'stateless')],
    ['last savepoint', saved && `${saved.path}${age === undefined ? '' : `, ${age} old`}`],
    ['target starts from', restored(transition?.restore)],
    ['state left behind', dropped && `${dropped.location ?? 'nobody knows where'} (${dropped.kind}, ${dropped.at})`],
    ['promotion', promotion(l)],
    ['grace period', spanText(settings.abortGraceMs)],
    ['deletion delay', spanText(settings.deletionDelayMs)],
    ['way back', settings.rollbackWindowMs > 0 ? spanText(settings.rollbackWindowMs) : 'not kept'],
    ['ingress', ingress?.template],
    ['transition id', transition?.id],
    ['error', status.error === undefined ? undefined : brief(errorMessage(status.error))],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value: brief(value) }] : []));
}

function promotion({ settings }: BlueGreenLook): string {
  if (settings.promotion === 'manual') return 'by a person';
  return settings.promotionHoldMs > 0 ? `by itself, after ${spanText(settings.promotionHoldMs)}` : 'by itself';
}
