import type { JSX } from 'preact';
import type { Side } from '../../../portrait/portrait.ts';
import { Card } from '../parts/card.tsx';
import { Facts } from '../parts/facts.tsx';
import { PhaseBadge } from '../parts/phase-badge.tsx';
import { lookOf, type Tone } from '../parts/phase-look.ts';
import { Words } from '../parts/words.tsx';

const roles: Readonly<Record<Side['role'], { readonly word: string; readonly tone: Tone }>> = {
  serving: { word: 'serves', tone: 'good' },
  next: { word: 'is being made', tone: 'move' },
  old: { word: 'is kept for a while', tone: 'idle' },
  idle: { word: 'does nothing', tone: 'idle' },
};

/** What exists beside each other: blue and green, the old and the new revision. */
export function SidesCard({ sides }: { readonly sides: readonly Side[] }): JSX.Element {
  return (
    <Card title={sides.length > 1 ? 'Side by side' : 'What is there'}>
      <div class="sides">
        {sides.map((side) => (
          <OneSide key={side.name} side={side} />
        ))}
      </div>
    </Card>
  );
}

function OneSide({ side }: { readonly side: Side }): JSX.Element {
  const role = Object.hasOwn(roles, side.role) ? roles[side.role] : roles.idle;
  const sick = side.phase === 'failed' || side.phase === 'degraded';
  return (
    <section class={`side tone-${sick ? lookOf(side.phase).tone : role.tone}`}>
      <header>
        <h3>
          <Words text={side.name} />
        </h3>
        <span class="tag">{role.word}</span>
        <PhaseBadge phase={side.phase} />
      </header>
      <p class="small quiet wrap">
        <Words text={side.state} />
      </p>
      <Facts facts={side.facts} />
    </section>
  );
}
