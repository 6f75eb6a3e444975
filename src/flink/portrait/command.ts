import type { Subject } from '../../portrait/subject.ts';
import type { VerbName } from '../../portrait/verb.ts';

const words: Readonly<Record<string, string>> = {
  FlinkBlueGreenDeployment: 'bluegreen',
  FlinkDeployment: 'flinkdep',
  FlinkSessionJob: 'sessionjob',
};

/** What to type: `cutover promote bluegreen/orders -n shop`. */
export function commandOf(verb: VerbName, { kind, namespace, name }: Subject, flags = ''): string {
  // With its namespace: whoever copies it may be somewhere else.
  return `cutover ${verb} ${words[kind] ?? kind}/${name}${flags} -n ${namespace}`;
}

/** The same in a sentence, where backticks tell it from the words and the period around it. */
export function typed(verb: VerbName, subject: Subject, flags = ''): string {
  return `\`${commandOf(verb, subject, flags)}\``;
}
