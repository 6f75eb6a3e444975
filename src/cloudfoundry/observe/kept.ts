import type { AnyObject } from '../../kube/object.ts';
import type { HttpRoute, Job, Pod, RoleBinding, Service, ServiceAccount } from './kube-shapes.ts';

/**
 * What is kept of Kubernetes' own objects beside their metadata: what is looked at. There are many of them for each app,
 * and most of each is what we wrote there ourselves.
 */
export const kept = {
  pod(object: AnyObject): object {
    const { spec, status = {} } = object as Pod;
    const { phase, podIP, hostIP, startTime, conditions, containerStatuses } = status;
    return {
      spec: { nodeName: spec?.nodeName },
      status: {
        phase,
        podIP,
        hostIP,
        startTime,
        conditions,
        containerStatuses: containerStatuses?.map(({ name, ready, started, restartCount, state, lastState }) => ({
          name,
          ready,
          started,
          restartCount,
          state,
          lastState,
        })),
      },
    };
  },

  job(object: AnyObject): object {
    const { startTime, completionTime, succeeded, failed, conditions } = (object as Job).status ?? {};
    return { status: { startTime, completionTime, succeeded, failed, conditions } };
  },

  service(object: AnyObject): object {
    const { selector, ports } = (object as Service).spec ?? {};
    return { spec: { selector, ports } };
  },

  httpRoute(object: AnyObject): object {
    return { status: { parents: (object as HttpRoute).status?.parents } };
  },

  roleBinding(object: AnyObject): object {
    const { subjects, roleRef } = object as RoleBinding;
    return { subjects, roleRef };
  },

  serviceAccount(object: AnyObject): object {
    const { imagePullSecrets, secrets } = object as ServiceAccount;
    return { imagePullSecrets, secrets };
  },
};
