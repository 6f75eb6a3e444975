import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { ScalePaths } from '../resource.ts';
import type { Schema } from '../schema/schema.ts';
import type { PrinterColumn } from '../table/printer-for.ts';

/** A CustomResourceDefinition, as far as the server reads it. Its types have been checked when it was decoded. */
export interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: Names;
    readonly versions: readonly Version[];
    readonly conversion?: {
      readonly strategy: string;
      readonly webhook?: {
        readonly clientConfig?: unknown;
        readonly conversionReviewVersions?: readonly string[];
      };
    };
    readonly preserveUnknownFields?: boolean;
  };
  readonly status?: {
    readonly acceptedNames?: Names;
    readonly storedVersions?: readonly string[];
    /** `null` until the names have been looked at. */
    readonly conditions?: readonly Condition[] | null;
  };
}

export interface Names {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface Version {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** The object as a definition. */
export function asDefinition(object: AnyObject): Definition {
  return object as unknown as Definition;
}

export function conditionOf(definition: Definition, type: string): Condition | undefined {
  return definition.status?.conditions?.find((condition) => condition.type === type);
}

export function isEstablished(definition: Definition): boolean {
  return conditionOf(definition, 'Established')?.status === 'True';
}
