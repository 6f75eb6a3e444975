import type { JSX } from 'preact';
import type { Plan, PlannedStep, Risk } from '../../../portrait/plan.ts';
import { span } from '../../model/span.ts';
import { Facts } from '../parts/facts.tsx';
import { FieldChanges } from '../parts/field-changes.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import type { Tone } from '../parts/phase-look.ts';
import { Words } from '../parts/words.tsx';
import { planFacts } from './plan-facts.ts';

const risks: Readonly<Record<Risk, { readonly tone: Tone; readonly icon: IconName; readonly word: string }>> = {
  none: { tone: 'idle', icon: 'dot', word: 'No change' },
  quiet: { tone: 'good', icon: 'check', word: 'Quiet: nothing restarts' },
  restart: { tone: 'ask', icon: 'turn', word: 'Restart: it serves all the while' },
  disruption: { tone: 'bad', icon: 'alert', word: 'Disruption: downtime or loss of state' },
};

const tones: Readonly<Record<PlannedStep['symbol'], Tone>> = {
  '+': 'good',
  '-': 'bad',
  '~': 'move',
  '↻': 'ask',
  '-/+': 'weak',
  '+/-': 'good',
  '!': 'bad',
  '→': 'move',
  '·': 'idle',
};

/** What would happen: the same as `cutover plan` prints. */
export function PlanView({ plan }: { readonly plan: Plan }): JSX.Element {
  if (plan.problems.length > 0) return <Problems plan={plan} />;
  const { tone, icon, word } = Object.hasOwn(risks, plan.risk) ? risks[plan.risk] : risks.disruption;
  return (
    <div class="plan">
      <div class="past-line">
        <span class={`badge large tone-${tone}`} data-risk={plan.risk}>
          <Icon name={icon} />
          {word}
        </span>
        {plan.estimate && (
          <span class="quiet small" title={plan.estimate.basis}>
            {`about ${span(plan.estimate.ms)}`} (<Words text={plan.estimate.basis} />)
          </span>
        )}
      </div>
      <p class="wrap">
        <Words text={plan.line} prose />
      </p>
      {plan.warnings.map((warning) => (
        <div key={warning} class="callout tone-ask">
          <Icon name="alert" />
          <div>
            <Words text={warning} prose />
          </div>
        </div>
      ))}
      <FieldChanges changes={plan.changes} />
      {plan.steps.length > 0 && (
        <ol class="plan-steps" aria-label="Steps">
          {plan.steps.map(({ symbol, what, detail, usuallyMs }, index) => (
            <li key={index} class={`tone-${tones[symbol] ?? 'idle'}`}>
              <span class="symbol">{symbol}</span>
              <span class="wrap">
                <Words text={what} />
                {detail !== undefined && (
                  <span class="quiet small">
                    {' '}
                    <Words text={detail} />
                  </span>
                )}
              </span>
              <span class="quiet small">{usuallyMs !== undefined && `usually ${span(usuallyMs, true)}`}</span>
            </li>
          ))}
        </ol>
      )}
      <Facts facts={planFacts(plan)} prose />
    </div>
  );
}

function Problems({ plan }: { readonly plan: Plan }): JSX.Element {
  return (
    <div class="plan">
      <div class="callout tone-bad">
        <Icon name="cross" />
        <div>
          <strong>It would be refused.</strong>
          <ul>
            {plan.problems.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>
                  <Words text={field} />
                </code>{' '}
                <Words text={message} lines prose />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </div>
  );
}
