/** A line that KUDO's command line printed and ours does not, or the other way round, with the reason why it stays so. */
export interface CommandDifference {
  /** A recorded step, or all whose name matches. */
  readonly step: RegExp;
  /** `ours`: only ours prints the line; `theirs`: only the recording has it. */
  readonly only: 'ours' | 'theirs';
  readonly line: RegExp;
  readonly because: string;
}

const checkedFirst = 'Everything is checked before anything is written: what is refused leaves nothing behind.';
const oneLine = 'A message stays on its line, without blanks at its end.';

/** All of them. What differs and is not listed fails the replay, and so does an entry that matches nothing any more. */
export const commandDifferences: readonly CommandDifference[] = [
  ...pair({
    step: /^10-strategies\/(04-fatal-serial|19-transient-serial|20-transient-par|22-multi-task-err)\/plan-status/,
    theirs: /Phase one \(parallel strategy\)/,
    ours: /Phase one \(serial strategy\)/,
    because:
      'KUDO looks up the strategy of a phase by its name in all plans, in no order: it printed that of another plan. Ours is that of the phase.',
  }),
  {
    step: /^08-pipe\/04-absent-file\/plan-status/,
    only: 'theirs',
    line: /(No such file or directory|^\))$/,
    because: oneLine,
  },
  {
    step: /^08-pipe\/04-absent-file\/plan-status/,
    only: 'ours',
    line: /No such file or directory\)$/,
    because: oneLine,
  },
  ...pair({
    step: /^01-configmap\/19-manual-trigger-unknown-plan-cli$/,
    theirs: /^Error: admission webhook .* denied the request: plan nosuch does not exist$/,
    ours: /^Error: plan nosuch does not exist\. alpha-7\.0\.1-0\.1\.0 has: deploy, tune$/,
    because: 'It is seen before it is sent, and what there is instead is said.',
  }),
  {
    step: /^01-configmap\/35-install-existing-instance-cli$/,
    only: 'theirs',
    line: /^operatorversion .* already installed$/,
    because: checkedFirst,
  },
  {
    step: /^01-configmap\/36-plan-history-cli$/,
    only: 'ours',
    line: /^(STARTED +TOOK +PLAN|\d{4}-\d\d-\d\d )/,
    because: 'Below the tree of last runs, all executions that are remembered are listed.',
  },
  {
    step: /^02-statefulset\/01-install-early$/,
    only: 'theirs',
    line: /^Warning: metadata\.finalizers: "kudo\.dev\.instance\.cleanup"/,
    because:
      'The operator sets the finalizer, not the command line, so the warning of the API server is not for the person.',
  },
  ...waits('10-running-other-plan-param-denied-cli', /^Instance st was updated\.$/),
  ...waits(
    '12-running-manual-other-denied-cli',
    /^(Triggered scale plan for gold-02\/st instance|Warning: plan deploy is running; scale runs after it\..*)$/,
  ),
  ...waits('15-running-upgrade-denied-cli', /^instance gold-02\/st updated$/),
  {
    step: /^(05-cronjob|15-template-errors)\/01-install$/,
    only: 'ours',
    line: /^Warning: (old-cron|e-dupkey|e-unknownfield)\.yaml: .*(applied as batch\/v1|the last one counts|left out)$/,
    because:
      'What Kubernetes would not take as it is written is repaired, and each repair is said when the package is installed.',
  },
  ...pair({
    step: /^11-parameters\/0[2-5]-install-bad-/,
    theirs:
      /^(operator .* created|operatorversion .* (created|already installed)|Error: failed to install instance gold-11\/pm: installing Instance: admission webhook .*)$/,
    ours: /^Error: failed to create an Instance gold-11\/pm: parameters are not valid: /,
    because: checkedFirst,
  }),
  ...pair({
    step: /^11-parameters\/06-install-unknown-param-accepted$/,
    theirs: /^operatorversion gold-11\/kappa-0\.1\.0 already installed$/,
    ours: /^(operator gold-11\/kappa created|operatorversion gold-11\/kappa-0\.1\.0 created|Warning: parameter "NOPE" is not one of kappa-0\.1\.0\..*)$/,
    because: `${checkedFirst} A parameter that the package does not have is accepted, but said.`,
  }),
  ...pair({
    step: /^11-parameters\/36-upgrade-cli-missing$/,
    theirs:
      /^(operatorversion gold-11\/kappa-0\.2\.0 created|Error: failed to update instance for new operatorversion .*)$/,
    ours: /^Error: failed to check immutable parameters for Instance gold-11\/pm: parameter 'LATER' was changed to immutable/,
    because: checkedFirst,
  }),
  ...pair({
    step: /^11-parameters\/40-upgrade-all-given-cli$/,
    theirs: /^operatorversion gold-11\/kappa-0\.2\.0 already installed$/,
    ours: /^operatorversion gold-11\/kappa-0\.2\.0 created$/,
    because: checkedFirst,
  }),
];

/** A change that KUDO denied because a plan was running. */
function waits(step: string, ours: RegExp): readonly CommandDifference[] {
  const because = 'A running plan makes a change wait, visibly, instead of having it denied.';
  return [
    ...pair({
      step: new RegExp(`^02-statefulset/${step}$`),
      theirs: /^(Error: .*|exit with a failure)$/,
      ours: /^exit well$/,
      because,
    }),
    { step: new RegExp(`^02-statefulset/${step}$`), only: 'ours', line: ours, because },
  ];
}

/** A line that reads otherwise. */
function pair({
  theirs,
  ours,
  ...rest
}: Pick<CommandDifference, 'step' | 'because'> & { readonly theirs: RegExp; readonly ours: RegExp }): readonly [
  CommandDifference,
  CommandDifference,
] {
  return [
    { ...rest, only: 'theirs', line: theirs },
    { ...rest, only: 'ours', line: ours },
  ];
}
