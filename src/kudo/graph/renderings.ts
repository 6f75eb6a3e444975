import { parse } from 'yaml';
import type { KubeObject } from '../../kube/object.ts';
import { group } from '../keys.ts';
import type { Complaint } from '../render/complaint.ts';
import type { Place } from '../render/place.ts';
import { renderObjects, renderText } from '../render/render-objects.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { objectId } from './ids.ts';
import type { TemplateUse } from './template-uses.ts';

export type Values = Readonly<Record<string, string>>;

/** What is rendered, and for whom. */
export interface Subject {
  readonly operatorVersion: OperatorVersion;
  /** Absent: an Instance that is named like the operator, as `install` would name it. */
  readonly instance?: { readonly name: string; readonly namespace: string; readonly uid: string };
  /** For random functions of templates; absent: one that says nothing about the values which the Instance really has. */
  readonly key?: Uint8Array;
}

/** What a template makes, by id; or that it makes nothing with these values. */
export type Rendering =
  | { readonly objects: ReadonlyMap<string, KubeObject> }
  | { readonly broken: { readonly reason: string; readonly line?: number } };

/**
 * Renders what a plan would apply at this place. Without labels, annotations and owners, which are the same for all values.
 * A template that cannot be rendered says where, and not why: the reason may quote a value.
 */
export function rendering(subject: Subject, use: TemplateUse, parameters: Values): Rendering {
  const place = placeOf(subject, use, parameters);
  if (use.role === 'configures') return childOf(place, use);
  const rendered = renderObjects(place, [use.template]);
  if ('complaint' in rendered) return { broken: brokenBy(rendered.complaint) };
  return { objects: new Map(rendered.objects.map((object) => [objectId(object), object])) };
}

/** The Instance that a KudoOperator task keeps, as far as its parameters go. */
function childOf(place: Place, { task, template }: TemplateUse): Rendering {
  const rendered = renderText(place, template);
  if ('complaint' in rendered) return { broken: brokenBy(rendered.complaint) };
  const child = {
    apiVersion: `${group}/v1beta1`,
    kind: 'Instance',
    metadata: { name: task.spec?.instanceName || `${place.instance.name}-${task.spec?.package ?? ''}` },
    spec: { parameters: valuesOf(rendered.text) },
  };
  return { objects: new Map([[objectId(child), child]]) };
}

function valuesOf(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100, uniqueKeys: false, logLevel: 'silent' });
  } catch {
    return undefined;
  }
}

function brokenBy({ reason, line }: Complaint): { readonly reason: string; readonly line?: number } {
  return { reason, ...(line !== undefined && { line }) };
}

function placeOf({ operatorVersion, instance, key }: Subject, use: TemplateUse, parameters: Values): Place {
  const { plan, phase, step } = use;
  const name = operatorVersion.spec.operator?.name ?? operatorVersion.metadata.name ?? '';
  return {
    instance: instance ?? { name: `${name}-instance`, namespace: 'default', uid: '' },
    operatorVersion,
    parameters,
    plan,
    phase,
    step,
    pipes: {},
    key: key ?? new Uint8Array(32),
  };
}
