import type { AnyObject } from '../../kube/object.ts';
import type { Outcome } from '../registry/ground.ts';
import type { ServedResource } from '../resource.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import type { Shape } from './negotiate.ts';
import { tableOf } from './render-table.ts';
import type { Visit } from './serving.ts';

/** An outcome in the form the client asked for. */
export async function render(
  visit: Visit,
  shape: Shape,
  resource: ServedResource,
  outcome: Outcome,
  now: number,
): Promise<Answer> {
  const { code } = outcome;
  if (shape.as === 'object' && shape.format === 'json' && !isPretty(visit)) return jsonAnswer(code, outcome.json);
  if (outcome.object.kind === 'Status') return renderValue(visit, shape, code, outcome.object);
  switch (shape.as) {
    case 'object':
      return renderValue(visit, shape, code, outcome.object);
    case 'metadata':
      return renderValue(visit, shape, code, metadataOf(outcome.object));
    case 'table':
      return renderValue(
        visit,
        shape,
        code,
        tableOf(resource, [outcome.object], visit.query, { now, listMeta: versionOf(outcome.object) }),
      );
  }
}

/** Any JSON value, as JSON or YAML, spread over lines for people who use a browser or curl. */
export async function renderValue(visit: Visit, shape: Shape, code: number, value: unknown): Promise<Answer> {
  if (shape.format === 'yaml') {
    const { stringify } = await import('yaml');
    return {
      status: code,
      headers: { 'content-type': shape.contentType },
      body: stringify(value, { aliasDuplicateObjects: false }),
    };
  }
  return jsonAnswer(code, isPretty(visit) ? `${JSON.stringify(value, null, 2)}\n` : JSON.stringify(value));
}

/** An object without anything of its own. */
export function metadataOf(object: AnyObject): AnyObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

export function isPretty({ request, query }: Visit): boolean {
  const asked = query.get('pretty');
  if (asked !== null) return asked !== '0' && asked !== 'false';
  return /^(curl|Wget|Mozilla\/5\.0)/.test(request.headers?.['user-agent'] ?? '');
}

const versionOf = ({ metadata }: AnyObject): { readonly resourceVersion?: string } =>
  metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion };
