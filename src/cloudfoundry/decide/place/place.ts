import type { Instant } from '../../../clock/clock.ts';
import type { Action, Decision, Reason } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { labels } from '../../keys.ts';
import { ownBinding } from '../../manifests/own-binding.ts';
import { type PlaceMetadata, placeNamespace } from '../../manifests/place-namespace.ts';
import { placesRoleName } from '../../names.ts';
import type { PlaceView } from '../../observe/place-view.ts';
import { type Attempts, attempts } from '../attempts.ts';
import { type Conclusion, conclude, type Readiness } from '../conclude.ts';
import { type Furnishing, furnished } from '../furnished.ts';
import { copying } from './copies.ts';
import { leaving } from './leaving.ts';
import { metadataPatch } from './metadata-patch.ts';

/** What tells organizations and spaces apart. */
export interface PlaceKind {
  readonly furnishing: Furnishing;
  /** The reason of a place that is not where it belongs. */
  readonly misplaced: Reason;
  readonly metadata: PlaceMetadata;
}

/**
 * An organization or a space: a namespace of its name, with what is passed on to it.
 *
 * Ready is said only when the namespace can be used by whoever was given rights on it, for creating one is answered then.
 * A namespace of that name that is somebody else's is neither taken nor, at the end, deleted.
 */
export function decidePlace(view: PlaceView, kind: PlaceKind): Decision {
  const { place, namespace } = view;
  const ours = namespace !== undefined && isOurs(namespace, kind.metadata);
  if (place.metadata.deletionTimestamp) return leaving(view, kind.furnishing.finalizer ?? '', ours);
  if (view.misplaced) return notReady(view, kind.misplaced, view.misplaced);

  const furnish = furnished(place, kind.furnishing);
  if (furnish) return { actions: [furnish], because: 'it lacks what the platform gives every organization and space' };

  if (namespace && !ours) return notReady(view, 'NamespaceCreation', takenMessage(place));
  if (namespace && isTerminating(namespace)) {
    const message = `The namespace ${place.metadata.name} is being deleted. It is made again when it is gone.`;
    return notReady(view, 'NamespaceCreation', message);
  }

  if (view.barred !== undefined) {
    const message = `The Secrets that pull images cannot be passed on, for the operator may not read them: ${view.barred}. Bind the ClusterRole ${placesRoleName} to its account in ${view.settings.rootNamespace} and ${place.metadata.name}.`;
    return notReady(view, 'RegistrySecretPropagation', message, view.now + againMs);
  }

  const bindings = ownBindings(view);
  const copies = bindings.length > 0 ? nothing : copying(view);
  const create: Action = { do: 'create', object: placeNamespace(place, kind.metadata) };
  const labelled = namespace && metadataPatch(namespace, kind.metadata);
  const first = namespace ? (labelled ? [labelled] : []) : [create];
  const tries = attempts([...first, ...bindings, ...copies.actions], view.outcomes, view.now);
  // Nothing can be done in a namespace that cannot be had.
  const actions = namespace || tries.actions.includes(create) ? tries.actions : [];

  const pending = first.length + bindings.length + copies.actions.length > 0;
  if (pending && !tries.failure && copies.inTheWay.length === 0) {
    const because = namespace ? 'what is passed on has changed' : 'its namespace is not there yet';
    return { actions, because, ...(actions.some(isOfSecret) && { wakeAt: view.now + soonMs }) };
  }
  const readiness = readinessOf(place, tries.failure, copies.inTheWay);
  return stated(view, {
    status: { ...place.status, ...(readiness.ready && { guid: place.metadata.name ?? '' }) },
    readiness,
    effects: actions,
    because: readiness.ready ? 'its namespace has all that is passed on to it' : readiness.message,
    ...(tries.wakeAt !== undefined && { wakeAt: tries.wakeAt }),
  });
}

/** Nobody would tell that a Secret was written. */
const soonMs = 200;
/** Nor that the operator was given a right. */
const againMs = 10_000;

const nothing: ReturnType<typeof copying> = { actions: [], inTheWay: [] };

/** Before anything else: without them the operator can neither see nor write the Secrets of a place. */
function ownBindings({ operator, unbound }: PlaceView): readonly Action[] {
  return operator ? unbound.map((namespace) => ({ do: 'apply', object: ownBinding(operator, namespace) })) : [];
}

function isOfSecret(action: Action): boolean {
  return (
    (action.do === 'apply' && action.object.kind === 'Secret') ||
    (action.do === 'delete' && action.of.kind === 'Secret')
  );
}

/** What does not work, in the words that operators know. */
const reasons: Readonly<Record<string, Reason>> = {
  Namespace: 'NamespaceCreation',
  Secret: 'RegistrySecretPropagation',
  ServiceAccount: 'ServiceAccountPropagation',
  RoleBinding: 'RoleBindingPropagation',
};

function readinessOf(
  { kind, metadata }: KubeObject,
  failure: Attempts['failure'],
  [obstacle]: readonly KubeObject[],
): Readiness {
  if (failure) {
    const { of, message } = failure;
    const concerned = 'object' in of ? of.object.kind : 'of' in of ? of.of.kind : '';
    const what =
      concerned === 'Namespace'
        ? `The namespace ${metadata.name} cannot be had, and one of somebody else is not taken over: create this ${kind} under another name if it stays so.`
        : `What is passed on from ${metadata.namespace} cannot be copied.`;
    return { ready: false, reason: reasons[concerned] ?? 'Unknown', message: `${what} ${message}` };
  }
  if (!obstacle) return { ready: true };
  const message = `RoleBinding ${obstacle.metadata.namespace}/${obstacle.metadata.name} has the name of one that is passed on from ${metadata.namespace}, but was made here. Rename one of them.`;
  return { ready: false, reason: 'RoleBindingPropagation', message };
}

function takenMessage({ kind, metadata }: KubeObject): string {
  return `The namespace ${metadata.name} exists and does not belong to this ${kind}: it is left alone. Delete that namespace, or create this ${kind} under another name.`;
}

function notReady(view: PlaceView, reason: Reason, message: string, wakeAt?: Instant): Decision {
  const readiness = { ready: false, reason, message } as const;
  const wake = wakeAt === undefined ? {} : { wakeAt };
  return stated(view, { status: view.place.status ?? {}, readiness, because: message, ...wake });
}

/** The label comes first, so that whoever has seen Ready finds the place by its label as well. */
function stated({ place, now }: PlaceView, conclusion: Conclusion): Decision {
  const ready = conclusion.readiness.ready ? 'True' : 'False';
  const label = furnished(place, { labels: { [labels.ready]: ready } });
  return label ? { actions: [label], because: conclusion.because } : conclude(place, now, conclusion);
}

/** By the labels that say whose it is: those of another organization's space are those of another place. */
function isOurs({ metadata }: KubeObject, wanted: PlaceMetadata): boolean {
  return [labels.orgGuid, labels.spaceGuid].every((label) => metadata.labels?.[label] === wanted.labels[label]);
}

function isTerminating({ metadata, status }: NonNullable<PlaceView['namespace']>): boolean {
  return metadata.deletionTimestamp !== undefined || status?.phase === 'Terminating';
}
