import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Plan } from '../../../portrait/plan.ts';
import type { Subject } from '../../../portrait/subject.ts';
import { useDesk } from '../desk.ts';
import { Card } from '../parts/card.tsx';
import { Icon } from '../parts/icon.tsx';
import { Words } from '../parts/words.tsx';
import { PlanView } from '../plan/plan-view.tsx';

/** What somebody might write, by kind. */
const examples: Readonly<Record<string, string>> = {
  FlinkBlueGreenDeployment: 'spec:\n  template:\n    spec:\n      job:\n        parallelism: 4',
  FlinkDeployment: 'spec:\n  job:\n    parallelism: 4',
  FlinkSessionJob: 'spec:\n  job:\n    parallelism: 4',
  Instance: 'spec:\n  parameters:\n    NODE_COUNT: "4"',
  CFApp: 'spec:\n  desiredState: STOPPED',
};

/** Asks what a change would do, without doing it. */
export function WhatIfCard({ id, subject }: { readonly id: string; readonly subject: Subject }): JSX.Element {
  const desk = useDesk();
  const [patch, setPatch] = useState('');
  const [busy, setBusy] = useState(false);
  const [plan, setPlan] = useState<Plan | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const ask = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { value: session } = desk.session;
    setBusy(true);
    setProblem(undefined);
    try {
      setPlan(await desk.api.plan(id, patch, typeof session === 'object' ? session.csrf : ''));
    } catch (error) {
      setPlan(undefined);
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <Card title="What if?" aside={<span class="quiet small">nothing is changed by asking</span>}>
      <form class="what-if" onSubmit={ask}>
        <label>
          <span class="small quiet">Only what would change, as YAML or JSON:</span>
          <textarea
            name="patch"
            spellcheck={false}
            required
            placeholder={examples[subject.kind] ?? 'spec:\n  …'}
            value={patch}
            onInput={(event) => setPatch(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <div>
          <button type="submit" class="button" disabled={busy || patch.trim() === ''}>
            {busy ? 'Working it out…' : 'Show what would happen'}
          </button>
        </div>
      </form>
      <div aria-live="polite">
        {problem !== undefined && (
          <div class="callout tone-bad">
            <Icon name="alert" />
            <div>
              <Words text={problem} />
            </div>
          </div>
        )}
        {plan && <PlanView plan={plan} />}
      </div>
    </Card>
  );
}
