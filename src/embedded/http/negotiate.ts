import { StatusError } from '../status-error.ts';

/** How a client wants an answer. */
export interface Shape {
  readonly format: 'json' | 'yaml';
  /** The object itself, only its metadata, or a table of it. */
  readonly as: 'object' | 'metadata' | 'table';
  /** The media type of the answer. */
  readonly contentType: string;
}

const plain: Shape = { format: 'json', as: 'object', contentType: 'application/json' };

/** Media types of requests and answers, as refusals list them. */
export const offered = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/**
 * Chooses the first form of the `Accept` header that this server can produce. It never answers in protobuf: every
 * client that asks for it accepts JSON as well.
 *
 * @throws StatusError 406
 */
export function negotiate(accept: string | undefined): Shape {
  if (accept === undefined || accept === '' || accept === 'application/json' || accept === '*/*') return plain;
  for (const clause of accept.split(',')) {
    const shape = shapeOf(clause);
    if (shape) return shape;
  }
  const streams = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
  const types = [...offered, ...streams].join(', ');
  const message = `406: Not Acceptable\n\nAvailable representations: ${types}`;
  throw new StatusError(406, 'NotAcceptable', message, {});
}

function shapeOf(clause: string): Shape | undefined {
  const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
  const format = formats[type.toLowerCase()];
  if (!format) return undefined;
  const given = Object.fromEntries(parameters.map((one) => one.split('=', 2).map((part) => part.trim())));
  const media = format === 'yaml' ? 'application/yaml' : 'application/json';
  const as = given.as as string | undefined;
  if (as === undefined) return { format, as: 'object', contentType: media };
  const known = transforms[as];
  if (!known || given.g !== 'meta.k8s.io' || (given.v !== 'v1' && given.v !== 'v1beta1')) return undefined;
  return { format, as: known, contentType: media };
}

const formats: Readonly<Record<string, Shape['format'] | undefined>> = {
  'application/json': 'json',
  'application/*': 'json',
  '*/*': 'json',
  'application/yaml': 'yaml',
};

const transforms: Readonly<Record<string, Shape['as'] | undefined>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadata',
};
