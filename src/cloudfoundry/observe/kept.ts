import type { AnyObject } from '../../kube/object.ts';
import type { Job, Pod } from './kube-shapes.ts';

/**
 * What is kept of pods and jobs beside their metadata: what is looked at. There are many of them, nobody applies them, and
 * most of each is what was written there for the node.
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
};
