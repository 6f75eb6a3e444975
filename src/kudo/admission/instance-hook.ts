import { equal } from '../../change/equal.ts';
import type { Verdict as Answer, Hook } from '../../control/webhooks/admission.ts';
import type { AdmissionRequest } from '../../control/webhooks/admission-review.ts';
import type { AnyObject } from '../../kube/object.ts';
import { admit } from '../decide/admit/admit.ts';
import { isSameVersion, referenceOf } from '../decide/admit/reference.ts';
import type { AdmitView, PlanRequest } from '../decide/admit/view.ts';
import type { Instance, InstanceSpec, InstanceStatus } from '../resources/instance.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import type { Found, VersionName } from './find-version.ts';
import { foretold } from './foretold.ts';

/** How OperatorVersions are looked up. */
export type FindVersion = (name: VersionName) => Promise<Found>;

/**
 * Tells whoever writes an Instance at once what the controller would find out later: that it is refused, that it waits, or
 * which plan will run and whether pods restart.
 *
 * It decides nothing: without it the same happens, only later. So it lets through what it cannot judge, and what changes
 * neither version nor parameters nor asks for a plan: metadata, and what the controller itself writes.
 */
export function instanceHook(find: FindVersion): Hook {
  return {
    async validate(request) {
      const { object, oldObject, namespace = object?.metadata.namespace ?? '' } = request;
      const [now, old] = [asInstance(object), asInstance(oldObject)];
      if (!now || !isWritten(request) || (old && isUntouched(old, now))) return { allowed: true };
      const name = { namespace, name: request.name ?? now.metadata.name ?? now.metadata.generateName ?? '' };
      const version = await find({ namespace, ...named(now.spec) });
      if (version === 'unknown') {
        return warned(`not checked: the OperatorVersion ${named(now.spec).name} could not be looked up just now`);
      }
      const view = await viewOf({ name, now, old, version: version === 'absent' ? undefined : version, find });
      return answer(view, old);
    },
  };
}

interface Written {
  readonly name: AdmitView['name'];
  readonly now: Instance;
  readonly old: Instance | undefined;
  readonly version: OperatorVersion | undefined;
  readonly find: FindVersion;
}

async function viewOf({ name, now, old, version, find }: Written): Promise<AdmitView> {
  const before = old && acceptedBefore(old);
  const isSame = before && isSameVersion(before.operatorVersion, now.spec.operatorVersion, name.namespace);
  const former = before && !isSame ? await find({ namespace: name.namespace, ...named(before) }) : version;
  const { execution } = old?.status ?? {};
  return {
    name,
    ...(before && { before }),
    after: now.spec,
    deleting: now.metadata.deletionTimestamp !== undefined,
    versions: { ...(former && typeof former === 'object' && { before: former }), ...(version && { after: version }) },
    ...(execution && { running: { plan: execution.plan, uid: execution.uid, yields: false } }),
    request: old ? requestIn(old, now) : { is: 'none' },
    ...(now.spec.planExecution?.restart === false && { restart: false }),
  };
}

function answer(view: AdmitView, old: Instance | undefined): Answer {
  const verdict = admit(view);
  if (verdict.is !== 'refused') return warned(foretold(verdict, view.versions.after));
  const { message } = verdict;
  // Whoever leaves an old problem as it is may be solving another one. The condition goes on reporting it.
  const stood = old && admit({ ...view, after: old.spec, request: { is: 'none' } });
  if (stood?.is === 'refused' && stood.message === message) {
    return warned(`not taken up until this is solved: ${message}`);
  }
  return { allowed: false, code: 403, message };
}

/** What plans of the Instance work with now. One that KUDO looked after has plans, and its spec had been admitted. */
function acceptedBefore({ spec, status }: Instance): InstanceStatus['accepted'] {
  if (status?.accepted) return status.accepted;
  if (!status?.planStatus) return undefined;
  return { operatorVersion: referenceOf(spec.operatorVersion), parameters: spec.parameters ?? {} };
}

/**
 * What this write asks for: what stood there before is not asked for again, and what tells of the execution that runs is our
 * own writing.
 */
function requestIn({ spec, status }: Instance, now: Instance): PlanRequest {
  if (equal(spec.planExecution ?? {}, now.spec.planExecution ?? {})) return { is: 'none' };
  const { planName: plan = '', uid, override = false } = now.spec.planExecution ?? {};
  if (plan === '') return { is: 'cancel' };
  const { execution } = status ?? {};
  return execution?.plan === plan && execution.uid === uid ? { is: 'none' } : { is: 'run', plan, override };
}

function isUntouched(old: Instance, now: Instance): boolean {
  const parts = ({ operatorVersion = {}, parameters, planExecution }: InstanceSpec): unknown => [
    operatorVersion,
    parameters ?? {},
    planExecution ?? {},
  ];
  return equal(parts(old.spec), parts(now.spec));
}

function isWritten({ operation, subResource }: AdmissionRequest): boolean {
  return (operation === 'CREATE' || operation === 'UPDATE') && !subResource;
}

/** What has not the shape of an Instance is for the schema to refuse. */
function asInstance(object: AnyObject | undefined): Instance | undefined {
  const spec = object?.spec;
  return typeof spec === 'object' && spec !== null ? (object as unknown as Instance) : undefined;
}

/** Where a reference leads; the namespace only where it says one. */
function named({ operatorVersion }: Pick<InstanceSpec, 'operatorVersion'>): { namespace?: string; name: string } {
  const { name = '', namespace } = referenceOf(operatorVersion);
  return namespace ? { namespace, name } : { name };
}

function warned(warning: string | undefined): Answer {
  return warning === undefined ? { allowed: true } : { allowed: true, warnings: [warning] };
}
