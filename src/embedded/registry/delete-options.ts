import type { AnyObject, JsonObject } from '../../kube/object.ts';
import { invalidValue, unsupportedValue } from '../schema/field-error.ts';
import { badRequest, type FieldError, invalid } from '../status-error.ts';
import { checkDryRun } from './write-options.ts';

export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly graceSeconds: number | undefined;
  /** `undefined` leaves it to the object's finalizers and the kind's custom. */
  readonly propagation: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /** The deprecated way to say the same; `false` also changes the answer's code. */
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** The options as admission shows them. */
  readonly object: AnyObject;
}

/**
 * Reads the options of a delete from its body if there is one, else from its query.
 *
 * @throws StatusError 400, 422 in the words of the real server
 */
export function deleteOptions(body: JsonObject | undefined, query: URLSearchParams): DeleteOptions {
  if (body?.kind !== undefined && body.kind !== 'DeleteOptions') {
    const [kind, version] = [body.kind, body.apiVersion ?? ''].map((one) => JSON.stringify(one));
    throw badRequest(`no kind ${kind} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`);
  }
  const given = body ?? fromQuery(query);
  const dryRun = Array.isArray(given.dryRun) ? (given.dryRun as string[]) : [];
  const propagation = given.propagationPolicy as string | undefined | null;
  const orphanDependents = given.orphanDependents as boolean | undefined | null;
  const preconditions = (given.preconditions ?? {}) as JsonObject;
  const grace = given.gracePeriodSeconds;
  if (grace !== undefined && grace !== null && !Number.isInteger(grace)) {
    const found = typeof grace === 'number' ? `number ${grace}` : typeof grace;
    throw badRequest(
      `json: cannot unmarshal ${found} into Go struct field DeleteOptions.gracePeriodSeconds of type int64`,
    );
  }

  const errors: FieldError[] = [];
  if (isGiven(propagation) && isGiven(orphanDependents)) {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalidValue('propagationPolicy', propagation, why));
  }
  if (isGiven(propagation) && !['Foreground', 'Background', 'Orphan'].includes(propagation)) {
    const policies = ['Foreground', 'Background', 'Orphan', 'nil'];
    errors.push(unsupportedValue('propagationPolicy', propagation, policies));
  }
  errors.push(...checkDryRun(dryRun));
  if (errors.length > 0) throw invalid('meta.k8s.io', 'DeleteOptions', '', errors);

  return {
    dryRun: dryRun.length > 0,
    graceSeconds: (grace as number | null) ?? undefined,
    propagation: (propagation ?? undefined) as DeleteOptions['propagation'],
    orphanDependents: orphanDependents ?? undefined,
    uid: (preconditions.uid as string | null) ?? undefined,
    resourceVersion: (preconditions.resourceVersion as string | null) ?? undefined,
    object: { ...given, kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' } as unknown as AnyObject,
  };
}

const isGiven = <T>(value: T | undefined | null): value is T => value !== undefined && value !== null;

function fromQuery(query: URLSearchParams): JsonObject {
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  const propagation = query.get('propagationPolicy');
  if (grace !== null && !/^-?\d+$/.test(grace)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
  }
  return {
    ...(dryRun.length > 0 && { dryRun }),
    ...(grace !== null && { gracePeriodSeconds: Number(grace) }),
    ...(orphan !== null && { orphanDependents: orphan === 'true' || orphan === '1' }),
    ...(propagation && { propagationPolicy: propagation }),
  };
}
