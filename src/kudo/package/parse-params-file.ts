import type { PackageGroup, PackageParameter, ParamsFile } from './operator-package.ts';
import { present } from './present.ts';
import { Fields, type Notes } from './yaml/fields.ts';
import { plain, type YamlNode } from './yaml/node.ts';

const parameterKeys = [
  'name',
  'displayName',
  'description',
  'required',
  'default',
  'trigger',
  'type',
  'immutable',
  'enum',
  'group',
  'advanced',
  'hint',
  'forcePodRestart',
];

/** Decodes `params.yaml`; without a root, an empty one. The version of the format has been looked at. */
export function parseParamsFile(root: YamlNode | undefined, notes: Notes): ParamsFile {
  const fields = new Fields(root, 'the parameter file', ['apiVersion', 'groups', 'parameters'], notes);
  return {
    groups: (fields.list('groups') ?? []).map((node) => groupOf(node, notes)),
    parameters: (fields.list('parameters') ?? []).map((node) => parameterOf(node, notes)),
  };
}

function groupOf(node: YamlNode, notes: Notes): PackageGroup {
  const fields = new Fields(node, 'a group', ['name', 'displayName', 'description', 'prio'], notes);
  return {
    at: node.at,
    name: fields.text('name') ?? '',
    ...present({
      displayName: fields.text('displayName'),
      description: fields.text('description'),
      prio: fields.integer('prio'),
    }),
  };
}

function parameterOf(node: YamlNode, notes: Notes): PackageParameter {
  const named = node.kind === 'map' ? node.entries.get('name')?.value : undefined;
  const label = named?.kind === 'scalar' && named.value !== null ? `parameter "${named.value}"` : 'a parameter';
  const fields = new Fields(node, label, parameterKeys, notes);
  const value = fields.node('default');
  return {
    at: node.at,
    name: fields.text('name') ?? '',
    required: fields.flag('required') ?? true,
    immutable: fields.flag('immutable') ?? false,
    default: value ? plain(value) : null,
    ...present({
      displayName: fields.text('displayName'),
      description: fields.text('description'),
      trigger: fields.text('trigger'),
      type: fields.text('type'),
      enum: fields.list('enum')?.map(plain),
      group: fields.text('group'),
      advanced: fields.flag('advanced'),
      hint: fields.text('hint'),
      forcePodRestart: forcePodRestartOf(fields, label, notes),
    }),
  };
}

/** A boolean, or, as the proposal writes it, the text "true" or "false". Anything else would restart pods by accident, or not. */
function forcePodRestartOf(fields: Fields, label: string, notes: Notes): boolean | undefined {
  const node = fields.node('forcePodRestart');
  if (!node) return undefined;
  if (node.kind === 'scalar') {
    if (node.value === true || node.value === 'true') return true;
    if (node.value === false || node.value === 'false') return false;
  }
  notes.errors.push({
    message: `forcePodRestart of ${label} must be true or false, or "true" or "false"`,
    at: node.at,
  });
  return undefined;
}
