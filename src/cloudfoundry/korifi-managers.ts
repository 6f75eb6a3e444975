/** As Korifi's controllers write statuses: under the name of their program, which packagers choose. */
export const korifiManagers = [
  'manager',
  'korifi-controllers',
  'controllers',
  'statefulset-runner',
  'job-task-runner',
  'kpack-image-builder',
] as const;
