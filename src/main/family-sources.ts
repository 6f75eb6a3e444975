import type { FamilySource } from '../cli/steer/steer-shell.ts';
import type { ResourceType } from '../kube/resource-type.ts';
import { families } from './families.ts';

/**
 * The families as the command line needs them: what lists show is known without loading any, the rest is loaded when an object
 * needs it. `test/steer/family-sources.test.ts` holds the kinds against those of the families.
 */
export const familySources: readonly FamilySource[] = [
  {
    name: 'flink',
    group: families.flink.group,
    kinds: [
      {
        type: kind(families.flink.group, 'v1beta1', 'FlinkBlueGreenDeployment'),
        words: ['bluegreen', 'flinkbgdep'],
        summarizer: async () => {
          const [{ summarizeBlueGreen }, { defaultOperatorConfig }] = await Promise.all([
            import('../flink/portrait/blue-green/summary.ts'),
            import('../flink/config/default-operator-config.ts'),
          ]);
          const config = defaultOperatorConfig();
          return (object) => summarizeBlueGreen(object, config);
        },
      },
      {
        type: kind(families.flink.group, 'v1beta1', 'FlinkDeployment'),
        words: ['flinkdep'],
        summarizer: async () => (await import('../flink/portrait/job/summary.ts')).summarizeJob,
      },
      {
        type: kind(families.flink.group, 'v1beta1', 'FlinkSessionJob'),
        words: ['sessionjob'],
        summarizer: async () => (await import('../flink/portrait/job/summary.ts')).summarizeJob,
      },
    ],
    load: async () => {
      const [{ flinkFamily }, { defaultOperatorConfig }] = await Promise.all([
        import('../flink/family.ts'),
        import('../flink/config/default-operator-config.ts'),
      ]);
      return flinkFamily(defaultOperatorConfig);
    },
  },
  {
    name: 'cloudfoundry',
    group: families.cloudfoundry.group,
    kinds: [
      {
        type: kind(families.cloudfoundry.group, 'v1alpha1', 'CFApp'),
        words: ['app', 'apps', 'cfapps'],
        titled: true,
        summarizer: async () => (await import('../cloudfoundry/portrait/summarize-app.ts')).summarizeApp,
      },
    ],
    load: async () => (await import('../cloudfoundry/family.ts')).cloudFoundryFamily,
  },
  {
    name: 'kudo',
    group: families.kudo.group,
    kinds: [
      {
        type: kind(families.kudo.group, 'v1beta1', 'Instance'),
        words: ['instance', 'kudo'],
        summarizer: async () => (await import('../kudo/portrait/summarize.ts')).summarize,
      },
    ],
    load: async () => (await import('../kudo/family.ts')).kudoFamily,
  },
];

function kind(group: string, version: string, name: string): ResourceType {
  return { group, version, kind: name, plural: `${name.toLowerCase()}s`, namespaced: true };
}
