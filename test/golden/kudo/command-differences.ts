/** A line that KUDO's command line printed and ours does not, or the other way round, with the reason why it stays so. */
export interface CommandDifference {
  /** A recorded step, or all whose name matches. */
  readonly step: RegExp;
  /** `ours`: only ours prints the line; `theirs`: only the recording has it. */
  readonly only: 'ours' | 'theirs';
  readonly line: RegExp;
  readonly because: string;
}

const oneLine = 'A message stays on its line, without blanks at its end.';

/** All of them. What differs and is not listed fails the replay, and so does an entry that matches nothing any more. */
export const commandDifferences: readonly CommandDifference[] = [
  ...pair({
    step: /^10-strategies\/(04-fatal-serial|19-transient-serial|20-transient-par|22-multi-task-err)/,
    theirs: /Phase one \(parallel strategy\)/,
    ours: /Phase one \(serial strategy\)/,
    because:
      'KUDO looks up the strategy of a phase by its name in all plans, in no order: it printed that of another plan. Ours is that of the phase.',
  }),
  { step: /^08-pipe\/04-absent-file/, only: 'theirs', line: /(No such file or directory|^\))$/, because: oneLine },
  { step: /^08-pipe\/04-absent-file/, only: 'ours', line: /No such file or directory\)$/, because: oneLine },
];

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
