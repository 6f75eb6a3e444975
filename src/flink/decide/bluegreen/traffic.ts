import type { RemoveAction } from '../../../control/decision.ts';
import { type Outcome, outcomeId } from '../../../control/outcome.ts';
import type { AnyObject } from '../../../kube/object.ts';
import type { IngressSeen } from '../../blue-green-view.ts';
import { childName } from '../../manifests/blue-green-child.ts';
import { activeIngress, previewIngress } from '../../manifests/blue-green-ingress.ts';
import {
  type BlueGreenPhase,
  type BlueGreenTransition,
  type Color,
  colors,
} from '../../resources/blue-green-transition.ts';
import { remove, show } from '../in-the-way.ts';
import type { Effect } from '../step.ts';
import { annotations } from './annotations.ts';
import { type BlueGreenCase, other, type Status } from './blue-green-case.ts';
import { isGone, isReady, type Side, sideOf } from './side.ts';

/** Phases in which traffic is at the target, or on its way to it. */
const ahead: ReadonlySet<BlueGreenPhase> = new Set(['switching', 'draining', 'keeping', 'retiring']);

export function isAhead({ phase }: BlueGreenTransition): boolean {
  return ahead.has(phase);
}

/** The side that traffic should go to; nobody's before the first one is ready. */
export function trafficColor({ name, uid, view }: BlueGreenCase, { transition, serving }: Status): Color | undefined {
  if (!transition) return serving?.color;
  const { from, to, phase, retire, moveId } = transition;
  if (from === undefined) return undefined;
  if (ahead.has(phase)) return to;
  // A side that may be on its way out gets no traffic before it is known to stay.
  const old = sideOf({ name, uid }, from, view.sides[from]);
  return phase === 'returning' && retire && !isKept(old, moveId) ? to : from;
}

/** Whether a side carries the mark that makes every earlier request to delete it fail. */
export function isKept(side: Side, moveId: string | undefined): boolean {
  return !isGone(side) && moveId !== undefined && side.seen?.annotations[annotations.kept] === moveId;
}

/** Whether the Ingress is known to lead to this side by the last move, as far as there is one that we look after. */
export function hasTraffic(c: BlueGreenCase, color: Color): boolean {
  const { ingress } = c.view;
  // An Ingress that cannot be made holds up nothing; one of ours that leads elsewhere does, whatever the reason.
  const ours = ingress?.owners.includes(c.uid) ?? false;
  if (!wantedAt(c, color) || (!ours && ingressTrouble(c))) return true;
  const { moveId } = c.status.transition ?? {};
  if (moveId !== undefined && ingress?.move !== moveId) return false;
  const service = `${childName(c.name, color)}-rest`;
  return ingress !== undefined && ingress.backends.length > 0 && ingress.backends.every((one) => one === service);
}

/** The Ingress cannot be ours: somebody else's has its name. That is waited for, and holds up nothing else. */
export function ingressTrouble(c: BlueGreenCase): string | undefined {
  const { ingress, outcomes } = c.view;
  if (!c.settings.ingressManaged || !c.desired.ingress?.template) return undefined;
  if (ingress && !ingress.owners.includes(c.uid)) {
    return `${show(ingress.ref)} belongs to somebody else: delete or rename it. Until then traffic is not led anywhere.`;
  }
  const refusal = colors.map((color) => refused(outcomes, wantedAt(c, color))).find((outcome) => outcome !== undefined);
  return refusal && `The Ingress was refused: ${refusal.message}`;
}

/** The same of the preview. */
export function previewTrouble({ settings, desired, view, uid }: BlueGreenCase): string | undefined {
  const { preview } = view;
  if (!settings.ingressManaged || !settings.previewIngress || !desired.ingress?.template) return undefined;
  if (!preview || preview.owners.includes(uid)) return undefined;
  return `${show(preview.ref)} belongs to somebody else: delete or rename it. Until then there is no preview.`;
}

function refused(outcomes: BlueGreenCase['view']['outcomes'], object: AnyObject | undefined) {
  const outcome: Outcome | undefined = object && outcomes[outcomeId({ do: 'apply', object })];
  return outcome?.result === 'refused' ? outcome : undefined;
}

/** Brings the Ingresses in line with where traffic should go. Nothing is led to a side that is not there. */
export function trafficEffects(c: BlueGreenCase, status: Status): readonly Effect[] {
  if (!c.settings.ingressManaged) return [];
  const color = trafficColor(c, status);
  const { phase, to } = status.transition ?? {};
  // On its way back, until the old side is known to stay, traffic is left where it is.
  const active = phase === 'returning' && color === to ? [] : activeEffects(c, color);
  return [...active, ...previewEffects(c, status)];
}

function activeEffects(c: BlueGreenCase, color: Color | undefined): readonly Effect[] {
  const { ingress } = c.view;
  if (color === undefined) return [];
  if (!c.desired.ingress?.template) return dropped(c, ingress);
  const object = wantedAt(c, color);
  const strange = ingress !== undefined && (!ingress.owners.includes(c.uid) || ingress.terminating);
  if (!object || strange || isWorse(c, color)) return [];
  // An Ingress that was led elsewhere meanwhile is looked at first.
  return [{ do: 'apply', object, ...(ingress && { resourceVersion: ingress.ref.resourceVersion }) }];
}

/** Nothing is led away from a side that is ready to one that is not. */
function isWorse(c: BlueGreenCase, color: Color): boolean {
  const service = `${childName(c.name, other(color))}-rest`;
  if (!c.view.ingress?.backends.includes(service)) return false;
  const ready = (one: Color): boolean => isReady(sideOf(c, one, c.view.sides[one]));
  return ready(other(color)) && !ready(color);
}

/** The preview leads to a target that does not have the traffic yet. */
function previewEffects(c: BlueGreenCase, { transition }: Status): readonly Effect[] {
  const { resource, view, settings } = c;
  const color = transition?.from && !ahead.has(transition.phase) ? transition.to : undefined;
  const side = color && view.sides[color];
  if (!settings.previewIngress || !color || !side?.owners.includes(c.uid) || side.terminating) {
    return dropped(c, view.preview);
  }
  const object = previewIngress({ resource, color, child: side.spec, operator: view.operator });
  const strange = view.preview !== undefined && !view.preview.owners.includes(c.uid);
  return object && !strange ? [{ do: 'apply', object }] : [];
}

function dropped(c: BlueGreenCase, ingress: IngressSeen | undefined): readonly RemoveAction[] {
  return ingress && !ingress.terminating && ingress.owners.includes(c.uid) ? [remove(ingress.ref)] : [];
}

/** The Ingress that leads to this side; undefined when there is to be none, or no such side. */
function wantedAt({ resource, view, settings, uid, status }: BlueGreenCase, color: Color): AnyObject | undefined {
  const side = view.sides[color];
  if (!settings.ingressManaged || !side?.owners.includes(uid) || side.terminating) return undefined;
  const object = activeIngress({ resource, color, child: side.spec, operator: view.operator });
  // The mark of the last move stays on it: nothing is written only because a transition is over.
  const move = status.transition?.moveId ?? view.ingress?.move;
  if (!object || move === undefined) return object;
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, [annotations.move]: move } } };
}
