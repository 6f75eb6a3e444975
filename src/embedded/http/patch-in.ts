import type { Json } from '../../kube/object.ts';
import type { PatchBody, PatchKind } from '../registry/patch.ts';
import type { ServedResource } from '../resource.ts';
import { badRequest, StatusError } from '../status-error.ts';
import { jsonIn, textOf, unsupported } from './body.ts';
import type { Visit } from './serving.ts';
import { contentOf } from './visit.ts';
import { parseYaml } from './yaml-text.ts';

const patchKinds: Readonly<Record<string, PatchKind | undefined>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** The patch in a request's body. @throws StatusError 415 for formats that the resource cannot be patched by */
export async function patchIn(visit: Visit, resource: ServedResource): Promise<PatchBody> {
  const { type, bytes } = contentOf(visit);
  const media = type.split(';', 1)[0]?.trim() ?? '';
  const kind = Object.hasOwn(patchKinds, media) ? patchKinds[media] : undefined;
  if (!kind) throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  if (kind === 'strategic' && resource.custom) {
    throw unsupported(Object.keys(patchKinds).filter((one) => patchKinds[one] !== 'strategic'));
  }
  const malformed = (why: string): StatusError =>
    badRequest(kind === 'apply' ? `error encoding patch: ${why}` : `invalid JSON patch: ${why}`);
  const { value, duplicates } = kind === 'apply' ? await parseYaml(textOf(bytes), malformed) : jsonIn(bytes, malformed);
  return { kind, patch: value as Json, duplicates };
}
