import { isObject } from '../../../change/equal.ts';
import { annotations, switchedOn } from '../../../control/annotations.ts';
import type { PatchOperation, Verb } from '../../../portrait/verb.ts';
import { commandOf } from '../command.ts';
import { instanceIn } from '../instance-in.ts';
import { patchOf } from './patch-of.ts';

/** As RFC 6901 wants it. */
const path = `/metadata/annotations/${annotations.paused.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Tells the operator to leave an Instance alone. What Kubernetes itself is at goes on. */
export const pause: Verb = {
  name: 'pause',
  summary: 'let the operator do nothing about it until it is resumed',
  request(object) {
    const read = instanceIn(object);
    if (switchedOn(read, annotations.paused)) return { is: 'refused', why: 'it is paused already' };
    const { resourceVersion } = read.metadata;
    // An object without annotations must not have got some meanwhile: they would be lost.
    const operations: readonly PatchOperation[] = isObject(object.metadata?.annotations)
      ? [{ op: 'add', path, value: 'true' }]
      : [
          ...(resourceVersion
            ? [{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion } as const]
            : []),
          { op: 'add', path: '/metadata/annotations', value: { [annotations.paused]: 'true' } },
        ];
    const { execution } = read.status;
    const runs = execution
      ? `plan ${execution.plan} stops where it is; pods that are being replaced go on`
      : 'pods that run go on';
    return {
      is: 'writes',
      writes: [patchOf(read, operations)],
      said: `the operator does nothing about it until \`${commandOf('resume', read)}\`: ${runs}`,
    };
  },
};

/** Takes a pause back. */
export const resume: Verb = {
  name: 'resume',
  summary: 'let the operator go on after a pause',
  request(object) {
    const read = instanceIn(object);
    if (!switchedOn(read, annotations.paused)) return { is: 'refused', why: 'it is not paused' };
    const { execution } = read.status;
    return {
      is: 'writes',
      writes: [patchOf(read, [{ op: 'remove', path }])],
      said: execution
        ? `plan ${execution.plan} goes on`
        : 'the operator looks after it again; what was changed meanwhile is taken up',
    };
  },
};
