import type { JSX } from 'preact';
import type { Step } from '../../../portrait/portrait.ts';
import { between, span } from '../../model/span.ts';
import { useDesk } from '../desk.ts';
import { Card } from '../parts/card.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import type { Tone } from '../parts/phase-look.ts';
import { Words } from '../parts/words.tsx';

const looks: Readonly<Record<Step['status'], { icon: IconName; tone: Tone; word: string; more: string }>> = {
  done: { icon: 'check', tone: 'good', word: 'done', more: '' },
  current: { icon: 'turn', tone: 'move', word: 'now', more: 'now' },
  pending: { icon: 'circle', tone: 'idle', word: 'to come', more: 'later' },
  failed: { icon: 'cross', tone: 'bad', word: 'failed', more: '' },
  skipped: { icon: 'skip', tone: 'idle', word: 'left out', more: 'later' },
};

/** What the change goes through, with how long each step took or takes. */
export function StepsCard({ steps, inTransition }: { steps: readonly Step[]; inTransition: boolean }): JSX.Element {
  const now = useDesk().now.value;
  const times = steps.map((step) => (step.status === 'pending' ? undefined : durationOf(step, now)));
  const longest = Math.max(1, ...times.map((ms) => ms ?? 0));
  const done = steps.filter(({ status }) => status === 'done' || status === 'skipped').length;
  return (
    <Card
      title={inTransition ? 'Steps' : 'Steps of the last change'}
      aside={<span class="quiet small">{`${done} of ${steps.length} done`}</span>}
    >
      <ol class="steps">
        {steps.map((step, index) => {
          const { icon, tone, word, more } = Object.hasOwn(looks, step.status) ? looks[step.status] : looks.pending;
          const ms = times[index];
          return (
            <li
              key={`${index} ${step.name}`}
              class={`step tone-${tone} ${more}`}
              aria-current={step.status === 'current' ? 'step' : undefined}
            >
              <Icon name={icon} turning={step.status === 'current'} />
              <div>
                <span class="step-title">
                  <Words text={step.title} />
                </span>{' '}
                <code class="quiet small">
                  <Words text={step.name} />
                </code>
                {step.info !== undefined && (
                  <p class="quiet small wrap">
                    <Words text={step.info} />
                  </p>
                )}
                {ms !== undefined && <div class="step-bar" style={{ width: `${Math.round((ms / longest) * 100)}%` }} />}
              </div>
              <span class="small toned">
                {word}
                {ms !== undefined && ` ${span(ms, step.status !== 'current')}`}
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

/** A step that is over without anybody having noted when says nothing, rather than counting on. */
function durationOf({ status, startedAt, endedAt }: Step, now: number): number | undefined {
  return endedAt === undefined && status !== 'current' ? undefined : between(startedAt, endedAt, now);
}
