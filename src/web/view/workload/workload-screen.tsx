import type { JSX } from 'preact';
import { subjectId } from '../../../portrait/subject.ts';
import { useDesk } from '../desk.ts';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { AnswersCard } from './answers-card.tsx';
import { CauseCard } from './cause-card.tsx';
import { ConditionsCard } from './conditions-card.tsx';
import { DeadlinesCard } from './deadlines-card.tsx';
import { EventsCard } from './events-card.tsx';
import { HistoryCard } from './history-card.tsx';
import { MachineCard } from './machine-card.tsx';
import { MissingScreen } from './missing-screen.tsx';
import { ObjectsCard } from './objects-card.tsx';
import { OffersCard } from './offers-card.tsx';
import { SidesCard } from './sides-card.tsx';
import { StepsCard } from './steps-card.tsx';
import { WhatIfCard } from './what-if-card.tsx';
import { WorkloadHeader } from './workload-header.tsx';

/** Everything about one workload, the five answers first, live. */
export function WorkloadScreen({ id }: { readonly id: string }): JSX.Element {
  const { page, missing } = useDesk().told.value;
  const gone = missing === id;
  if (!page || subjectId(page.portrait.subject) !== id) {
    return gone ? <MissingScreen id={id} /> : <p class="empty">Looking…</p>;
  }
  const { portrait, events, offers } = page;
  return (
    <article>
      <WorkloadHeader portrait={portrait} gone={gone} />
      <div class="sections">
        <div class="stack">
          <AnswersCard answers={portrait.answers} />
          {portrait.sides.length > 0 && <SidesCard sides={portrait.sides} />}
          {portrait.steps.length > 0 && <StepsCard steps={portrait.steps} inTransition={portrait.inTransition} />}
          {portrait.cause && <CauseCard cause={portrait.cause} inTransition={portrait.inTransition} />}
          <ObjectsCard id={id} tree={portrait.tree} pods={portrait.pods} />
          <WhatIfCard id={id} subject={portrait.subject} />
          <EventsCard events={events} />
          <HistoryCard history={portrait.history} />
        </div>
        <div class="stack">
          <OffersCard id={id} name={portrait.subject.title ?? portrait.subject.name} offers={offers} />
          {portrait.deadlines.length > 0 && <DeadlinesCard deadlines={portrait.deadlines} />}
          {portrait.facts.length > 0 && (
            <Card title="Facts">
              <Facts facts={portrait.facts} />
            </Card>
          )}
          {portrait.machine && <MachineCard machine={portrait.machine} />}
          <ConditionsCard conditions={portrait.conditions} />
        </div>
      </div>
    </article>
  );
}
