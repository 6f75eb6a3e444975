import { type Action, refTo } from '../../../control/decision.ts';
import type { KubeObject } from '../../../kube/object.ts';
import { annotations, labels } from '../../keys.ts';
import {
  copiedRoleBinding,
  copiedSecret,
  copiedServiceAccount,
  type Passage,
  type SealedSecret,
} from '../../manifests/copies.ts';
import type { RoleBinding } from '../../observe/kube-shapes.ts';
import type { PlaceView } from '../../observe/place-view.ts';
import { upToDate } from '../up-to-date.ts';

/** What is to be done so that a namespace has what is passed on to it. */
export interface Copying {
  /** In the order of Secrets, accounts, rights: who may do something finds what it needs. */
  readonly actions: readonly Action[];
  /** Copies that cannot be made, for something else has their name. */
  readonly inTheWay: readonly KubeObject[];
}

/** Compares what is passed on to a place with what is there. Nothing to do: all of it is there. */
export function copying(view: PlaceView): Copying {
  const { place, sources, present, settings } = view;
  const below: Passage = { from: place.metadata.namespace ?? '', to: place.metadata.name ?? '' };
  const fromRoot: Passage = { ...below, from: settings.rootNamespace };
  const secrets = kept({
    wanted: sources.secrets.map((source) => copiedSecret(source, below)),
    present: present.secrets,
    mustBeMadeAnew: (live, wanted) => (live as SealedSecret).type !== (wanted as SealedSecret).type,
  });
  const serviceAccounts = kept({
    wanted: sources.serviceAccounts.map((source) => copiedServiceAccount(source, fromRoot, settings.registrySecrets)),
    present: present.serviceAccounts,
  });
  const roleBindings = kept({
    wanted: sources.roleBindings.map((source) => copiedRoleBinding(source, below)),
    present: present.roleBindings,
    mustBeMadeAnew: (live, wanted) => roleOf(live) !== roleOf(wanted),
    // A binding that somebody made here has subjects of its own, which a copy would put away.
    yields: isCopy,
  });
  return {
    actions: [...secrets.actions, ...serviceAccounts.actions, ...roleBindings.actions],
    inTheWay: roleBindings.inTheWay,
  };
}

interface Kept {
  readonly wanted: readonly KubeObject[];
  readonly present: readonly KubeObject[];
  /** Whether a field differs that the server never changes: then the copy goes first, and comes again at the next look. */
  readonly mustBeMadeAnew?: (live: KubeObject, wanted: KubeObject) => boolean;
  /** Whether an object that is there may be written over. */
  readonly yields?: (live: KubeObject) => boolean;
}

function kept({ wanted, present, mustBeMadeAnew = () => false, yields = () => true }: Kept): Copying {
  const live = new Map(present.map((object) => [object.metadata.name, object]));
  const inTheWay: KubeObject[] = [];
  const actions = wanted.flatMap((copy): readonly Action[] => {
    const there = live.get(copy.metadata.name);
    if (there && !yields(there)) {
      inTheWay.push(there);
      return [];
    }
    if (there && mustBeMadeAnew(there, copy)) return [{ do: 'delete', of: refTo(there) }];
    return upToDate(there, copy) ? [] : [{ do: 'apply', object: copy }];
  });
  const names = new Set(wanted.map(({ metadata }) => metadata.name));
  const orphans = present.filter(
    (object) => !names.has(object.metadata.name) && isCopy(object) && goesWithItsSource(object),
  );
  return {
    actions: [...actions, ...orphans.map((object): Action => ({ do: 'delete', of: refTo(object) }))],
    inTheWay,
  };
}

function isCopy({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.propagatedFrom] !== undefined;
}

function goesWithItsSource({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined && metadata.annotations?.[annotations.propagateDeletion] !== 'false';
}

function roleOf(binding: KubeObject): string {
  const { kind, name } = (binding as RoleBinding).roleRef ?? {};
  return `${kind} ${name}`;
}
