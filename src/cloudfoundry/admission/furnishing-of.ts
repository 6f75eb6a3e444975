import type { AnyObject, KubeObject } from '../../kube/object.ts';
import { appFurnishing } from '../decide/app/app-furnishing.ts';
import { createdAt } from '../decide/created-at.ts';
import type { Furnishing } from '../decide/furnished.ts';
import { domainFurnishing, orgFurnishing, routeFurnishing, spaceFurnishing } from '../decide/furnishings.ts';
import { annotations, finalizers, labels } from '../keys.ts';

type Furnish = (object: never, version: string) => Furnishing;

/** By kind. Kinds that are not here carry nothing. */
const furnishings: ReadonlyMap<string, Furnish> = new Map<string, Furnish>([
  ['CFOrg', orgFurnishing],
  ['CFSpace', spaceFurnishing],
  ['CFDomain', domainFurnishing],
  ['CFRoute', routeFurnishing],
  ['CFApp', appFurnishing],
  ['CFProcess', ofApp(({ processType }) => ({ [labels.processType]: text(processType) }))],
  ['CFPackage', (object, version) => ({ ...ofApp()(object, version), finalizer: finalizers.package })],
  ['CFBuild', ofApp(({ packageRef }) => ({ [labels.packageGuid]: nameIn(packageRef) }))],
  ['CFTask', ofApp()],
  ['CFDeployment', ofApp()],
  ['AppWorkload', versionOnly],
  ['TaskWorkload', versionOnly],
  ['BuildWorkload', versionOnly],
]);

/** What an object carries besides its spec; `undefined` for kinds that carry nothing. */
export function furnishingOf(object: KubeObject, version: string): Furnishing | undefined {
  return furnishings.get(object.kind)?.(object as never, version);
}

/** What lives in a space and names an app. */
function ofApp(
  further: (spec: Readonly<Record<string, unknown>>) => NonNullable<Furnishing['labels']> = () => ({}),
): (object: AnyObject, version: string) => Furnishing {
  return (object, version) => {
    const spec = (object.spec ?? {}) as Readonly<Record<string, unknown>>;
    return {
      labels: {
        [labels.guid]: object.metadata.name,
        [labels.spaceGuid]: object.metadata.namespace,
        [labels.appGuid]: nameIn(spec.appRef),
        [labels.createdAt]: createdAt(object),
        ...further(spec),
      },
      annotations: { [annotations.creationVersion]: version },
    };
  };
}

function versionOnly(_object: KubeObject, version: string): Furnishing {
  return { annotations: { [annotations.creationVersion]: version } };
}

function nameIn(reference: unknown): string | undefined {
  return text((reference as { readonly name?: unknown } | undefined)?.name);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
