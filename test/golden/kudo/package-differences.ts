/** A line of a recorded command that ours does not print, or the other way round, with the reason why it stays so. */
export interface PackageDifference {
  /** A recording, or all whose name matches. */
  readonly recording: string | RegExp;
  /** `ours`: only ours prints the line; `theirs`: only the recording has it. */
  readonly only: 'ours' | 'theirs';
  readonly line: RegExp;
  readonly because: string;
}

const title = (recording: string): PackageDifference => ({
  recording,
  only: 'ours',
  line: /^Warnings$/,
  because: 'the title of warnings that only ours has',
});

/** Both sides of a complaint about text that is no YAML. */
const notYaml = (recording: string | RegExp, ours: RegExp, theirs: RegExp): readonly PackageDifference[] => [
  {
    recording,
    only: 'ours',
    line: ours,
    because: 'our parser has words of its own, and says the line in which the fault is',
  },
  {
    recording,
    only: 'theirs',
    line: theirs,
    because: 'recorded in the words of another parser, whose line is often one too low',
  },
];

/** All of them. What differs and is not listed fails the replay, and so does an entry that matches nothing any more. */
export const packageDifferences: readonly PackageDifference[] = [
  title('05-cronjob/verify-package.txt'),
  {
    recording: /^05-cronjob\/verify-package/,
    only: 'ours',
    line: /^templates\/old-cron\.yaml: CronJob Name-old: batch\/v1beta1 is no longer served, applied as batch\/v1$/,
    because:
      'with KUDO the plan fails for good, since nobody serves the removed version; ours applies the one that took its place, and says so',
  },
  {
    recording: /^10-strategies\/verify-package/,
    only: 'ours',
    line: /^operator\.yaml:\d+:\d+: Dummy task "pending" has no "done: true"/,
    because: 'a rule of our own: plans that never complete are mostly an oversight',
  },
  ...notYaml(
    /^10-strategies\/verify-package/,
    /^parsing rendered YAML from badyaml\.yaml failed: .* yaml: line 5: /,
    /^parsing rendered YAML from badyaml\.yaml failed: .* yaml: line 4: did not find expected key$/,
  ),
  ...notYaml(
    'broken/04-operator-not-yaml/verify.txt',
    /^Error: failed to unmarshal operator file: operator\.yaml:27:1: /,
    /^Error: failed to unmarshal operator file: error converting YAML to JSON: yaml: line 26: /,
  ),
  ...notYaml(
    'broken/28-template-not-yaml/verify.txt',
    /^parsing rendered YAML from main\.yaml failed: .* yaml: line 7: /,
    /^parsing rendered YAML from main\.yaml failed: .* yaml: line 6: did not find expected key$/,
  ),
  title('broken/05-operator-unknown-field/verify.txt'),
  {
    recording: 'broken/05-operator-unknown-field/verify.txt',
    only: 'ours',
    line: /^operator\.yaml:26:1: the operator has an unknown key "surprise", which is ignored$/,
    because: 'a rule of our own: KUDO ignores unknown keys in silence, and with them every misspelt one',
  },
  {
    recording: 'broken/58-params-unknown-field/verify.txt',
    only: 'ours',
    line: /^params\.yaml:9:3: parameter "U" has an unknown key "colour", which is ignored$/,
    because: 'a rule of our own: KUDO ignores unknown keys in silence, and with them every misspelt one',
  },
  title('broken/41-unknown-strategy/verify.txt'),
  {
    recording: 'broken/41-unknown-strategy/verify.txt',
    only: 'ours',
    line: /^operator\.yaml:19:5: plan "deploy" has an unknown strategy "zigzag": it counts as parallel$/,
    because: 'a rule of our own: KUDO takes any word but serial for parallel',
  },
  {
    recording: 'broken/56-duplicate-plan-key/verify.txt',
    only: 'ours',
    line: /^operator\.yaml:26:3: "deploy" stands here a second time \(first in line 18\): the last one counts$/,
    because: 'a rule of our own: half of the file has no effect',
  },
  title('broken/59-duplicate-task-name/verify.txt'),
  {
    recording: 'broken/59-duplicate-task-name/verify.txt',
    only: 'ours',
    line: /^operator\.yaml:17:3: there are two tasks "main": plans run the first of them$/,
    because: 'a rule of our own: the second of them never runs',
  },
];
