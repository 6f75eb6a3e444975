import type { KubeObject } from '../../kube/object.ts';
import { pipesOf } from '../decide/task/pipes-of.ts';
import { group } from '../keys.ts';
import { parametersFromFile } from '../parameters/parameters-from-file.ts';
import type { Complaint } from '../render/complaint.ts';
import type { Place } from '../render/place.ts';
import { type Metered, objectsIn, renderText } from '../render/render-objects.ts';
import type { OperatorVersion } from '../resources/operator-version.ts';
import { objectId } from './ids.ts';
import { own } from './own.ts';
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
export function rendering(subject: Subject, use: TemplateUse, parameters: Values, metered: Metered): Rendering {
  const place = placeOf(subject, use, parameters);
  if (use.role === 'pipes') return artifactsOf(place, use);
  const rendered = renderText(place, use.template, metered);
  if ('complaint' in rendered) return { broken: brokenBy(rendered.complaint) };
  if (use.role === 'configures') return childOf(place, use, rendered.text);
  const found = objectsIn(use.template, rendered.text);
  if ('complaint' in found) return { broken: brokenBy(found.complaint) };
  return { objects: new Map(found.objects.map((object) => [objectId(object), object])) };
}

/** The Instance that a KudoOperator task keeps, as far as its parameters go. */
function childOf(place: Place, { task }: TemplateUse, text: string): Rendering {
  const read = parametersFromFile(text);
  if ('error' in read) return { broken: { reason: 'TaskRenderingError' } };
  const child = {
    apiVersion: `${group}/v1beta1`,
    kind: 'Instance',
    metadata: { name: task.spec?.instanceName || `${place.instance.name}-${task.spec?.package ?? ''}` },
    spec: { parameters: read.parameters },
  };
  return { objects: new Map([[objectId(child), child]]) };
}

/** What a Pipe task leaves behind: nobody knows what will be in it before its pod has run. */
function artifactsOf({ pipes }: Place, { task }: TemplateUse): Rendering {
  const artifacts = (task.spec?.pipe ?? []).flatMap(({ kind = '', key = '' }) => {
    const name = own(pipes, key);
    return name === undefined ? [] : [{ apiVersion: 'v1', kind, metadata: { name } }];
  });
  return { objects: new Map(artifacts.map((object) => [objectId(object), object])) };
}

function brokenBy({ reason, line }: Complaint): { readonly reason: string; readonly line?: number } {
  return { reason, ...(line !== undefined && { line }) };
}

/** Where a template is rendered, with these values. */
export function placeOf({ operatorVersion, instance, key }: Subject, use: TemplateUse, parameters: Values): Place {
  const { plan, phase, step } = use;
  const name = operatorVersion.spec.operator?.name ?? operatorVersion.metadata.name ?? '';
  const of = instance ?? { name: `${name}-instance`, namespace: 'default', uid: '' };
  return {
    instance: of,
    operatorVersion,
    parameters,
    plan,
    phase,
    step,
    pipes: pipesFor(operatorVersion, of.name, plan),
    key: key ?? new Uint8Array(32),
  };
}

/** A graph asks for the same ones a thousand times, and versions are never changed in place. */
const known = new WeakMap<OperatorVersion, Map<string, Readonly<Record<string, string>>>>();

/** For so many Instances and plans of one version they are remembered. */
const mostKnown = 100;

function pipesFor(version: OperatorVersion, instance: string, plan: string): Readonly<Record<string, string>> {
  const ofVersion = known.get(version) ?? new Map<string, Readonly<Record<string, string>>>();
  known.set(version, ofVersion);
  const key = JSON.stringify([instance, plan]);
  const pipes = ofVersion.get(key) ?? pipesOf(version, instance, plan);
  if (ofVersion.size >= mostKnown) ofVersion.clear();
  ofVersion.set(key, pipes);
  return pipes;
}
