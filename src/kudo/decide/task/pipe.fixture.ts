import { stamped } from '../../../control/actions/apply.ts';
import type { AnyObject, KubeObject } from '../../../kube/object.ts';
import { placeOf } from '../../render/place.fixture.ts';
import type { Place } from '../../render/place.ts';
import type { OperatorVersionSpec, Task } from '../../resources/operator-version.ts';

export const podTemplate = `apiVersion: v1
kind: Pod
spec:
  volumes:
  - name: shared
    emptyDir: {}
  initContainers:
  - name: init
    image: tool
    command: [make-files]
    args: ["{{ .Params.SEED }}"]
    volumeMounts:
    - name: shared
      mountPath: /out
`;

export const keys: Task = {
  name: 'make-Keys',
  kind: 'Pipe',
  spec: {
    pod: 'pod.yaml',
    pipe: [
      { file: '/out/tls.crt', kind: 'ConfigMap', key: 'certificate' },
      { envFile: '/out/vars.env', kind: 'Secret', key: 'varsKey' },
    ],
  },
};

const spec: OperatorVersionSpec = {
  templates: { 'pod.yaml': podTemplate },
  parameters: [{ name: 'SEED', default: 's1' }],
  tasks: [keys],
  plans: { deploy: { phases: [{ name: 'main-phase', steps: [{ name: 'gen_Step', tasks: ['make-Keys'] }] }] } },
};

/** In step `gen_Step` of an operator with the Pipe task `keys`. */
export function pipePlace(changed: OperatorVersionSpec = {}): Place {
  return placeOf({ ...spec, ...changed }, { phase: 'main-phase', step: 'gen_Step' });
}

/** The object as the server has it after it was applied. */
export function stored(object: KubeObject, uid: string, more: object = {}): AnyObject {
  const sent = stamped(object);
  return { ...sent, ...more, metadata: { ...sent.metadata, uid, resourceVersion: '1' } } as AnyObject;
}
