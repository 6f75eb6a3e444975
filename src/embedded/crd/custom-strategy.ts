import type { AnyObject } from '../../kube/object.ts';
import { validateMeta } from '../kinds/object-meta.ts';
import { dns1123Subdomain } from '../kinds/syntax.ts';
import type { ScalePaths, Strategy } from '../resource.ts';
import { invalidValue } from '../schema/field-error.ts';
import { goPrint, goType } from '../schema/go-text.ts';
import { isFields } from '../schema/json.ts';
import type { FieldError } from '../status-error.ts';
import type { Definition, Version } from './definition.ts';
import { checkEmbedded } from './embedded-resource.ts';

/** How custom resources of one version behave beyond their schema. */
export function customStrategy(definition: Definition, version: Version): Strategy {
  const { scale, status } = version.subresources ?? {};
  const schema = version.schema?.openAPIV3Schema;
  const deprecation = deprecationOf(definition, version);
  return {
    generation: true,
    ...(status && {
      prepareForCreate(draft) {
        delete draft.status;
      },
      prepareForUpdate(draft, before) {
        if (before.status === undefined) delete draft.status;
        else draft.status = before.status;
      },
    }),
    validate: (object, before) => [
      ...validateMeta(object, before, dns1123Subdomain),
      ...(scale ? checkScale(scale, object) : []),
      ...(schema ? checkEmbedded(schema, object) : []),
    ],
    validateStatus: (object) => (scale ? checkScale(scale, object).filter(({ field }) => isStatus(field)) : []),
    ...(version.selectableFields && { fields: (object) => selectable(version, object) }),
    ...(deprecation && { warnings: () => [deprecation] }),
  };
}

const isStatus = (field: string): boolean => field.startsWith('.status');

/** What every request to a deprecated version is told. */
function deprecationOf({ spec }: Definition, version: Version): string | undefined {
  if (!version.deprecated) return undefined;
  return version.deprecationWarning ?? `${spec.group}/${version.name} ${spec.names.kind} is deprecated`;
}

function checkScale(paths: ScalePaths, object: AnyObject): readonly FieldError[] {
  return [
    ...checkReplicas(paths.specReplicasPath, object),
    ...checkReplicas(paths.statusReplicasPath, object),
    ...(paths.labelSelectorPath ? checkSelector(paths.labelSelectorPath, object) : []),
  ];
}

function checkReplicas(path: string, object: AnyObject): readonly FieldError[] {
  const found = read(object, path);
  if ('problem' in found) return [invalidValue(path, 0, found.problem)];
  const { value } = found;
  if (value === undefined) return [];
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    return [invalidValue(path, 0, `${path} accessor error: ${wrongType(value)}, expected int64`)];
  }
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')];
  const most = 2 ** 31 - 1;
  return value > most ? [invalidValue(path, value, `should be less than or equal to ${most}`)] : [];
}

function checkSelector(path: string, object: AnyObject): readonly FieldError[] {
  const found = read(object, path);
  if ('problem' in found) return [invalidValue(path, '', found.problem)];
  const { value } = found;
  if (value === undefined || typeof value === 'string') return [];
  return [invalidValue(path, '', `${path} accessor error: ${wrongType(value)}, expected string`)];
}

const wrongType = (value: unknown): string => `${goPrint(value)} is of the type ${goType(value)}`;

/** The value at a simple JSON path: `.spec.replicas`. */
function read(object: AnyObject, path: string): { readonly value: unknown } | { readonly problem: string } {
  let value: unknown = object;
  const done: string[] = [];
  for (const step of path.replace(/^\./, '').split('.')) {
    done.push(step);
    if (!isFields(value)) {
      const problem = `.${done.join('.')} accessor error: ${wrongType(value)}, expected map[string]interface{}`;
      return { problem };
    }
    if (!Object.hasOwn(value, step)) return { value: undefined };
    value = value[step];
  }
  return { value };
}

function selectable(version: Version, object: AnyObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (version.selectableFields ?? []).map(({ jsonPath }) => {
      const found = read(object, jsonPath);
      const value = 'problem' in found ? undefined : found.value;
      return [jsonPath.replace(/^\./, ''), value === undefined || value === null ? '' : String(value)];
    }),
  );
}
