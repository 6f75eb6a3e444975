import type { CfPackage } from '../../resources/cf-package.ts';
import { link, relation } from './links.ts';
import { createdAt, presentMetadata, updatedAt } from './metadata.ts';

/** Whether a package can be staged: it knows where its source is. */
export function packageState({ spec }: Pick<CfPackage, 'spec'>): 'READY' | 'AWAITING_UPLOAD' {
  return spec.source?.registry?.image ? 'READY' : 'AWAITING_UPLOAD';
}

/** A package as the CF API shows it. */
export function presentPackage(cfPackage: CfPackage, base: string): object {
  const { name: guid = '' } = cfPackage.metadata;
  const { type, source, appRef } = cfPackage.spec;
  const self = `/v3/packages/${guid}`;
  const image = source?.registry?.image;
  return {
    guid,
    type,
    data: image === undefined ? { error: null, checksum: null } : { image },
    state: packageState(cfPackage),
    relationships: { app: relation(appRef.name) },
    links: {
      self: link(base, self),
      upload: link(base, `${self}/upload`, 'POST'),
      download: link(base, `${self}/download`, 'GET'),
      app: link(base, `/v3/apps/${appRef.name}`),
    },
    metadata: presentMetadata(cfPackage),
    created_at: createdAt(cfPackage),
    updated_at: updatedAt(cfPackage),
  };
}
