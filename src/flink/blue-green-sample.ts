import type { FlinkSample } from './sample.ts';

const patch = 'kubectl patch flinkbgdep orders --type merge -p';

/**
 * The counting job once more, with a second cluster to change over to. Its waits are short, so that a person sees how they
 * end.
 */
export const blueGreenSample: FlinkSample = {
  file: 'blue-green.yaml',
  what: 'The same as a blue/green deployment, which keeps serving while it changes,',
  manifest: `# A Flink job with two sides: each change goes to the one that does not serve. Edit and save: Cutover applies this file each time.
apiVersion: flink.apache.org/v1beta1
kind: FlinkBlueGreenDeployment
metadata:
  name: orders
  namespace: default
spec:
  configuration:
    kubernetes.operator.bluegreen.abort.grace-period: 30s        # a new side that is not ready by then is given up
    kubernetes.operator.bluegreen.deployment-deletion.delay: 5s  # the old side stays that long after traffic has moved
  ingress:
    template: "{{name}}.example.com"  # leads to the side that serves
  template:
    spec:  # that of a FlinkDeployment
      image: flink:2.3
      flinkVersion: v2_3
      serviceAccount: flink  # made by sample.yaml
      flinkConfiguration:
        taskmanager.numberOfTaskSlots: "2"
        state.checkpoints.dir: s3://sample/checkpoints
        state.savepoints.dir: s3://sample/savepoints
      jobManager:
        resource: { memory: 1g, cpu: 0.5 }
      taskManager:
        resource: { memory: 1g, cpu: 0.5 }
      job:
        jarURI: local:///opt/flink/usrlib/counter.jar
        args: []                # try [--fail-at-start]: the other side is given up, the old one serves on
        parallelism: 2          # try 4: the other side starts from a savepoint, gets the traffic, and the old one goes
        upgradeMode: savepoint  # or last-state, or stateless
        state: running          # try suspended, then running again: in place
        # statelessRedeployNonce: 1   # take the # away, also in the middle of a transition: the other side starts empty
`,
  edits: [
    ['parallelism: 4', 'the other side starts from a savepoint; traffic moves to it; the old side goes'],
    ['args: [--fail-at-start]', 'the other side fails; after 30 s it is given up, and the old one serves on'],
    ['statelessRedeployNonce: 1', 'the other side starts empty; a transition under way is dropped for it'],
  ],
  commands: [
    'kubectl get flinkbgdep orders --watch',
    'kubectl describe ingress orders',
    '# a transition; the same with 2 goes the other way',
    `${patch} 'spec: {template: {spec: {job: {parallelism: 4}}}}'`,
    '# an abort; the same with [] puts it back',
    `${patch} 'spec: {template: {spec: {job: {args: [--fail-at-start]}}}}'`,
    '# a new start without state, also in the middle of a transition; the next one with 2',
    `${patch} 'spec: {template: {spec: {job: {statelessRedeployNonce: 1}}}}'`,
  ],
};
