import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Portrait } from '../../../portrait/portrait.ts';
import { subjectId } from '../../../portrait/subject.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { pathOf } from '../../model/route.ts';
import { whatIsNew } from '../../model/what-is-new.ts';
import { useDesk } from '../desk.ts';
import { familyName } from '../parts/family-name.ts';
import { Icon } from '../parts/icon.tsx';
import { PhaseBadge } from '../parts/phase-badge.tsx';
import { Ago } from '../parts/when.tsx';
import { Words } from '../parts/words.tsx';

export function WorkloadHeader({
  portrait,
  gone,
}: {
  readonly portrait: Portrait;
  readonly gone: boolean;
}): JSX.Element {
  const desk = useDesk();
  const title = useRef<HTMLHeadingElement>(null);
  const { subject, phase, state, headline, needsYou, since, partOf } = portrait;
  const name = harmless(subject.title ?? subject.name);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = `${name}: ${phase} · Cutover`;
  }, [name, phase]);
  return (
    <header>
      <nav class="crumbs" aria-label="Where you are">
        <button type="button" class="textual" onClick={() => desk.up()}>
          <Icon name="left" />
          Fleet
        </button>
        {partOf && (
          <a href={pathOf({ at: 'workload', id: subjectId({ ...partOf, namespace: subject.namespace }) })}>
            part of {harmless(partOf.name)}
          </a>
        )}
      </nav>
      <div class="title">
        <h1 ref={title} tabIndex={-1}>
          {name}
        </h1>
        <PhaseBadge phase={phase} large />
        {state !== undefined && (
          <code class="quiet">
            <Words text={state} />
          </code>
        )}
      </div>
      <p class="subtitle">
        <span>{harmless(subject.kind)}</span>
        <span>in {harmless(subject.namespace)}</span>
        {subject.title !== undefined && <code>{harmless(subject.name)}</code>}
        {since !== undefined && (
          <span>
            for <Ago at={since} />
          </span>
        )}
        {subject.family === 'kudo' && (
          <a href={pathOf({ at: 'graph', id: subjectId(subject) })}>
            <Icon name="graph" /> What depends on what
          </a>
        )}
        <span class="hidden-visually">{familyName(subject.family)}</span>
      </p>
      <p class="headline-large" aria-live="polite">
        <Words text={headline} prose />
      </p>
      {gone && (
        <div class="callout tone-idle">
          <Icon name="trash" />
          <div>It is gone. This is what was last known of it.</div>
        </div>
      )}
      {needsYou !== undefined && (
        <div class="callout tone-ask needs-you">
          <Icon name="hand" />
          <div>
            <strong>Needs you:</strong> <Words text={whatIsNew(headline, needsYou)} prose />
          </div>
        </div>
      )}
    </header>
  );
}
