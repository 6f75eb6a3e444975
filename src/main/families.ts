/** The families, the group of their kinds, and the names that `--off` and `--takeover` take. */
export const families = {
  flink: {
    group: 'flink.apache.org',
    controllers: ['flinkdeployment', 'flinksessionjob', 'flinkstatesnapshot', 'flinkbluegreendeployment'],
  },
  cloudfoundry: {
    group: 'korifi.cloudfoundry.org',
    controllers: [
      ...['cforg', 'cfspace', 'cfdomain', 'cfroute', 'cfapp', 'cfprocess', 'cfpackage', 'cfbuild', 'cfdeployment'],
      ...['cftask', 'appworkload', 'runnerinfo', 'taskworkload'],
    ],
  },
  kudo: { group: 'kudo.dev', controllers: ['instance'] },
} as const;

export type FamilyName = keyof typeof families;

export const familyNames = Object.keys(families) as readonly FamilyName[];

export const controllerNames: readonly string[] = familyNames.flatMap((name) => families[name].controllers);
