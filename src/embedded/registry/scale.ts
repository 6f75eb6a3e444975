import type { AnyObject } from '../../kube/object.ts';
import type { Draft, ScalePaths } from '../resource.ts';
import { invalidValue } from '../schema/field-error.ts';
import { copy, type Fields, isFields, setField } from '../schema/json.ts';
import { badRequest, conflict, invalid, notFound } from '../status-error.ts';
import type { Call, Ground, Outcome } from './ground.ts';
import { settleName } from './metadata.ts';
import { update } from './update.ts';
import { keyOf, objectAs, outcomeOfObject } from './versions.ts';
import type { WriteOptions } from './write-options.ts';

/** Where built-in kinds keep what `scale` shows. */
const builtIn: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

/** The scale of an object. @throws StatusError 404 */
export function readScale(ground: Ground, call: Call): Outcome {
  const entry = ground.store.get(keyOf(call.resource, call.namespace, call.name));
  if (!entry) throw notFound({ ...call.resource, name: call.name });
  return outcomeOfObject(200, scaleOf(call, objectAs(call.resource, ground.store, entry)));
}

/**
 * Changes the number of replicas. `propose` makes the wanted Scale out of the present one.
 *
 * @throws StatusError 404; 409 when the Scale was made from another version; 422 for a number that cannot be
 */
export async function writeScale(
  ground: Ground,
  call: Call,
  propose: (current: AnyObject) => Draft,
  options: WriteOptions,
): Promise<Outcome> {
  const entry = await update(
    ground,
    call,
    {
      propose(current) {
        const scale = propose(scaleOf(call, current));
        settleName(call, scale);
        const { resourceVersion, uid } = scale.metadata;
        const about = { ...call.resource, name: call.name };
        if (uid && uid !== current.metadata.uid) {
          const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid}`;
          throw conflict(about, why);
        }
        if (resourceVersion && resourceVersion !== '0' && resourceVersion !== current.metadata.resourceVersion) {
          throw conflict(
            about,
            'the object has been modified; please apply your changes to the latest version and try again',
          );
        }
        const draft = copy(current) as unknown as Draft;
        setAt(draft, pathsOf(call).specReplicasPath, wanted(call, scale));
        return draft;
      },
    },
    options,
  );
  return outcomeOfObject(200, scaleOf(call, objectAs(call.resource, ground.store, entry)));
}

const pathsOf = ({ resource }: Call): ScalePaths => (typeof resource.scale === 'object' ? resource.scale : builtIn);

function wanted(call: Call, scale: Draft): number {
  const replicas = isFields(scale.spec) ? (scale.spec.replicas ?? 0) : 0;
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    const found = Array.isArray(replicas) ? 'array' : typeof replicas;
    throw badRequest(
      `Scale in version "v1" cannot be handled as a Scale: json: cannot unmarshal ${found} into Go struct field ScaleSpec.spec.replicas of type int32`,
    );
  }
  if (replicas >= 0) return replicas;
  const wrong = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw invalid('autoscaling', 'Scale', call.name, [wrong]);
}

function scaleOf(call: Call, object: AnyObject): AnyObject {
  const paths = pathsOf(call);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = Number(at(object, paths.specReplicasPath) ?? 0);
  const selector = paths.labelSelectorPath === undefined ? undefined : at(object, paths.labelSelectorPath);
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: Number(at(object, paths.statusReplicasPath) ?? 0),
      ...(selector !== undefined && { selector: selectorText(selector) }),
    },
  };
}

/** A label selector in the form of a query, which is how `scale` shows it. */
function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (!isFields(selector)) return '';
  const labels = isFields(selector.matchLabels) || selector.matchExpressions ? selector.matchLabels : selector;
  const equal = Object.entries(isFields(labels) ? labels : {}).map(([key, value]) => `${key}=${String(value)}`);
  const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions.filter(isFields) : [];
  return [...equal.sort(), ...expressions.map(expressionText)].join(',');
}

function expressionText({ key, operator, values }: Fields): string {
  const list = Array.isArray(values) ? values.join(',') : '';
  switch (operator) {
    case 'Exists':
      return String(key);
    case 'DoesNotExist':
      return `!${String(key)}`;
    default:
      return `${String(key)} ${String(operator).toLowerCase()} (${list})`;
  }
}

const stepsOf = (path: string): string[] => path.split('.').filter((step) => step !== '');

function at(object: unknown, path: string): unknown {
  return stepsOf(path).reduce((value, step) => (isFields(value) ? value[step] : undefined), object);
}

function setAt(draft: Draft, path: string, value: number): void {
  const steps = stepsOf(path);
  const last = steps.pop() as string;
  let inner: Fields = draft;
  for (const step of steps) {
    if (!isFields(inner[step])) setField(inner, step, {});
    inner = inner[step] as Fields;
  }
  setField(inner, last, value);
}
