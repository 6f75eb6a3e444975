import { equal } from '../../../change/equal.ts';
import type { Action, Decision } from '../../../control/decision.ts';
import type { BlueGreenView, SideSeen } from '../../blue-green-view.ts';
import type { Color } from '../../resources/blue-green-transition.ts';
import type { FlinkDeploymentStatus } from '../../resources/flink-deployment.ts';
import type { FlinkStateSnapshot } from '../../resources/flink-state-snapshot.ts';
import { decideBlueGreen } from './blue-green.ts';
import { caseOf, other, type Spec, type Status } from './blue-green-case.ts';
import { follow, withSide } from './follow.fixture.ts';
import { imported } from './imported.ts';
import { noted } from './noted.ts';
import { rowFor } from './table.ts';
import { type Edit, edited, type HealthName, healthOf, servingStatus, sideSeen, viewOf } from './view.fixture.ts';

/** A world that does what is decided, and what the story says. */
export class Story {
  view: BlueGreenView;
  /** What was said about the resource, as `Reason: note`. */
  readonly events: string[] = [];
  /** All that was done, but for events. */
  readonly deeds: Action[] = [];
  /** The serving side, in the beginning. */
  readonly x: Color;

  constructor(view: BlueGreenView, x: Color = 'BLUE') {
    this.view = view;
    this.x = x;
  }

  get y(): Color {
    return other(this.x);
  }

  get status(): Status {
    return this.view.resource.status ?? {};
  }

  get state(): string | undefined {
    return this.status.blueGreenState;
  }

  get phase(): string | undefined {
    return this.status.transition?.phase;
  }

  get jobState(): string | undefined {
    return this.status.jobStatus?.state;
  }

  readonly side = (color: Color): SideSeen => {
    const side = this.view.sides[color];
    if (!side) throw new Error(`there is no ${color}: ${this.state} ${this.phase ?? ''}`);
    return side;
  };

  readonly condition = (type: string) => this.status.conditions?.find((one) => one.type === type);

  /** Ids of the rows that decide about the view as it is, in order. */
  get rows(): readonly string[] {
    return rowsOf(this.view);
  }

  edit(...edits: readonly Edit[]): this {
    const { resource } = this.view;
    const generation = (resource.metadata.generation ?? 0) + 1;
    return this.now({
      resource: {
        ...resource,
        metadata: { ...resource.metadata, generation, resourceVersion: `${generation}00` },
        spec: edited(resource.spec, ...edits),
      },
    });
  }

  annotate(annotations: Readonly<Record<string, string>>): this {
    const { resource } = this.view;
    return this.now({ resource: { ...resource, metadata: { ...resource.metadata, annotations } } });
  }

  now(change: Partial<BlueGreenView>): this {
    this.view = { ...this.view, ...change };
    return this;
  }

  passes(ms: number): this {
    return this.now({ now: this.view.now + ms });
  }

  /** The operator of the sides has looked at this one. */
  becomes(color: Color, health: HealthName, more: FlinkDeploymentStatus = {}): this {
    const side = this.side(color);
    const status = { ...healthOf(health, side.ref.uid), observedGeneration: side.generation, ...more };
    return this.seen(color, { status });
  }

  /** Somebody changed this side. */
  seen(color: Color, change: Partial<SideSeen>): this {
    const side = this.side(color);
    const ref = { ...side.ref, resourceVersion: `${side.ref.resourceVersion}1` };
    this.view = withSide(this.view, color, { ...side, ref, ...change });
    return this;
  }

  gone(color: Color): this {
    this.view = withSide(this.view, color, undefined);
    return this;
  }

  /** The newest savepoint ends. */
  savepoint(status: NonNullable<FlinkStateSnapshot['status']>): this {
    const { snapshots } = this.view;
    const last = snapshots.at(-1);
    if (!last) throw new Error('no savepoint was asked for');
    return this.now({ snapshots: [...snapshots.slice(0, -1), { ...last, status }] });
  }

  completed(path = 's3://sp/1'): this {
    return this.savepoint({ state: 'COMPLETED', path });
  }

  /** Decides once and does it, or no more than the first so many actions of it: then it crashed. */
  look(most = Number.POSITIVE_INFINITY): Decision {
    const decision = decideBlueGreen(this.view);
    const actions = decision.actions.slice(0, most);
    for (const action of actions) {
      if (action.do === 'event') this.events.push(`${action.reason}: ${action.note}`);
      else this.deeds.push(action);
    }
    this.view = follow(this.view, { ...decision, actions }).view;
    return decision;
  }

  /** Until nothing changes any more. Comes back with the last decision. */
  settle(): Decision {
    const written: unknown[] = [];
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const before = this.view;
      const decision = this.look();
      if (equal(before, this.view)) return decision;
      written.push(decision.because);
    }
    throw new Error(`does not come to rest: ${JSON.stringify(written)}`);
  }

  /** What was done to objects of a kind, shortly: `create counter-green`. */
  done(kind = 'FlinkDeployment'): readonly string[] {
    return this.deeds.flatMap((action) => (kindOf(action) === kind ? [`${action.do} ${nameOf(action)}`] : []));
  }
}

const mostLooks = 12;

/** All that is wanted is true: x serves. */
export function serving(
  x: Color,
  spec: Spec,
  change: Partial<BlueGreenView> = {},
  status: Partial<Status> = {},
): Story {
  const view = viewOf(spec);
  const story = new Story(
    {
      ...view,
      sides: { ...view.sides, [x]: sideSeen(x, spec, 'ready') },
      resource: { ...view.resource, status: servingStatus(x, spec, status) },
      ...change,
    },
    x,
  );
  story.settle();
  story.deeds.length = 0;
  return story;
}

/** Ids of the rows that decide, in order. */
export function rowsOf(view: BlueGreenView): readonly string[] {
  const rows: string[] = [];
  for (let c = caseOf(view, noted(view, imported(view)), view.resource.spec); ; ) {
    const row = rowFor(c);
    const step = row.step(c);
    rows.push(row.id);
    if (!step.again || rows.length > 20) return rows;
    c = caseOf(view, step.status, view.resource.spec);
  }
}

export function kindOf(action: Action): string {
  if (action.do === 'apply' || action.do === 'create') return action.object.kind;
  return action.do === 'event' ? 'Event' : action.do === 'call' ? 'Call' : action.of.kind;
}

function nameOf(action: Action): string {
  if (action.do === 'apply' || action.do === 'create') return action.object.metadata.name ?? '';
  return action.do === 'event' || action.do === 'call' ? '' : action.of.name;
}
