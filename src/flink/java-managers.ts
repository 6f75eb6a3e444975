/** As the Java operator writes: through fabric8's client, or by server-side apply in the name of a controller. */
export const javaManagers = {
  FlinkDeployment: ['fabric8-kubernetes-client', 'flinkdeploymentcontroller'],
  FlinkSessionJob: ['fabric8-kubernetes-client', 'flinksessionjobcontroller'],
  FlinkStateSnapshot: ['fabric8-kubernetes-client', 'flinkstatesnapshotcontroller'],
  FlinkBlueGreenDeployment: ['fabric8-kubernetes-client', 'flinkbluegreendeploymentcontroller'],
} as const;
