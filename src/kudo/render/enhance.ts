import type { AnyObject, KubeObject } from '../../kube/object.ts';
import type { Complaint } from './complaint.ts';
import type { DependencyReader } from './hash/dependency.ts';
import type { Place, Restarting } from './place.ts';

export interface Enhanced {
  readonly object: KubeObject;
  /** Pods of the live workload will restart, and why. */
  readonly restart?: { readonly because: string };
  readonly complaint?: Complaint;
}

export interface Around {
  /** The object as it is now; absent: there is none. */
  readonly live?: AnyObject;
  readonly namespaced: boolean;
  /** ConfigMaps and Secrets; those of the same task as they will be, all others as they are. See `readingFirst`. */
  readonly dependencies: DependencyReader;
}

/** A rendered object with all that makes it one of this Instance: what a plan applies. */
export function enhance(_object: KubeObject, _place: Place, _restarting: Restarting, _around: Around): Enhanced {
  throw new Error('being built');
}
