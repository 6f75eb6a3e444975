import type { Fact } from '../../portrait/portrait.ts';
import type { Read } from './instance-in.ts';
import type { FoundVersion } from './version-of.ts';
import { names } from './wording.ts';

/** What a person on call asks about beside the rest. */
export function factsOf({ spec, status }: Read, version: FoundVersion): readonly Fact[] {
  const name = (status.accepted?.operatorVersion ?? spec.operatorVersion)?.name ?? '';
  const { restart: owed, execution } = status;
  // What the plan that runs does anyway is not pending.
  const restart = owed?.uid === execution?.restartUID ? undefined : owed;
  return [
    { label: 'OperatorVersion', value: typeof version === 'string' ? `${name} (${told[version]})` : name },
    ...(typeof version === 'string' ? [] : packageFacts(version.spec)),
    ...(restart
      ? [
          {
            label: 'restart pending',
            value: `${restart.changed?.length ? `${names(restart.changed)} changed` : 'demanded'}; plan ${restart.plan} does it`,
          },
        ]
      : []),
    { label: 'drift', value: spec.drift ?? 'report' },
    {
      label: 'a failing step is tried',
      value: spec.retryLimit ? `${spec.retryLimit} times again` : 'again without end',
    },
    { label: 'plans so far', value: String(status.executions ?? 0) },
  ];
}

const told = {
  absent: 'not there: no plan can run',
  unknown: 'could not be looked up',
  odd: 'of a shape that no plan can run with',
} as const;

function packageFacts({
  operator,
  version = '',
  appVersion,
  restartPolicy = 'always',
  plans,
}: Exclude<FoundVersion, string>['spec']): readonly Fact[] {
  const app = appVersion ? ` (${appVersion})` : '';
  return [
    { label: 'operator', value: `${operator?.name ?? ''} ${version}${app}`.trim() },
    { label: 'a forced change restarts', value: policies[restartPolicy] },
    {
      label: 'plans',
      value: Object.keys(plans ?? {})
        .sort()
        .join(', '),
    },
  ];
}

const policies = {
  always: 'all pods that its plan applies',
  onDependencyChange: 'pods whose ConfigMaps or Secrets change',
} as const;
