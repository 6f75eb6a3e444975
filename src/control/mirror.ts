import type { AnyObject } from '../kube/object.ts';
import type { ObjectName } from '../kube/path.ts';
import type { ResourceType } from '../kube/resource-type.ts';

/** What is known of the cluster without asking it: the caches, with our own writes laid over them. */
export interface Mirror {
  /** The object as last seen. `undefined` says only that it was not seen: it may exist, or its kind may not be watched. */
  peek(type: ResourceType, name: ObjectName): AnyObject | undefined;
  /** The server answered a write with this object: nobody who reads here may see an older one. */
  wrote(type: ResourceType, object: AnyObject): void;
  /** The server confirmed that the object with this uid is gone. */
  removed(type: ResourceType, name: ObjectName, uid: string): void;
}
