import type { KubeObject } from '../../kube/object.ts';
import { createdAt } from '../decide/created-at.ts';
import { annotations, labels } from '../keys.ts';
import type { Platform } from './platform.ts';

/** What a request says of an object that it makes. */
export interface Wanted<Spec> {
  /** The GUID; a new one when absent. */
  readonly guid?: string;
  readonly namespace: string;
  /** The labels by which it is found, beside those that every object has. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What the client wants on it; never in the place of a label of the platform. */
  readonly metadata?:
    | {
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly annotations?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
  readonly finalizers?: readonly string[];
  readonly spec: Spec;
}

interface NewKind {
  readonly type: { readonly kind: string };
  readonly apiVersion: string;
}

/**
 * An object as the API makes it: with its GUID for a name and all that webhooks would put on it, so that it is whole where
 * there are none. Its owner is set by its controller, which may; callers need not be allowed to.
 */
export function newObject<Spec>(
  { clock, random, settings }: Pick<Platform, 'clock' | 'random' | 'settings'>,
  kind: NewKind,
  wanted: Wanted<Spec>,
): KubeObject & { readonly spec: Spec } {
  const name = wanted.guid ?? random.uuid();
  const now = createdAt({ metadata: { creationTimestamp: new Date(clock.now()).toISOString() } });
  return {
    apiVersion: kind.apiVersion,
    kind: kind.type.kind,
    metadata: {
      name,
      namespace: wanted.namespace,
      labels: {
        ...wanted.metadata?.labels,
        ...wanted.labels,
        [labels.guid]: name,
        ...(now && { [labels.createdAt]: now }),
      },
      annotations: {
        ...wanted.metadata?.annotations,
        ...wanted.annotations,
        [annotations.creationVersion]: settings.version,
      },
      ...(wanted.finalizers && { finalizers: wanted.finalizers }),
    },
    spec: wanted.spec,
  };
}
