/** What is compared with the recordings. Every comparison has one word here. */
export type Compared = 'diff text' | 'recorded spec' | 'objects' | 'refusal' | 'blue/green';

/** A known difference between what Cutover does and what was recorded, with the reason why it stays. */
export interface Difference {
  /** The case, or `*` when it can happen in any. */
  readonly case: string;
  readonly what: Compared;
  /** Where in the case, in the words of the comparison: an edit, an object and field, a kind of difference. */
  readonly where: string;
  readonly because: string;
  /** Known from recordings that are not kept here; in ours it would be a surprise. */
  readonly elsewhere?: true;
}

/** All of them. A difference that is not listed fails the comparison, and so does an entry that no longer occurs. */
export const differences: readonly Difference[] = [
  {
    case: '*',
    what: 'diff text',
    where: 'order of configuration keys',
    because: 'recorded in the order of a hash table; ours are sorted, so that the same edit always reads the same',
  },
  {
    case: '*',
    what: 'diff text',
    where: 'elements of a list',
    because:
      'recorded with what stands at the position in the old and in the new list, so a removal from the middle reads like a replacement and several in a row repeat the first; ours tells what was removed and what was added',
  },
  {
    case: '36-podtemplate-common-native',
    what: 'diff text',
    where: 'edit 01-pod-template-env',
    because: 'recorded with the values of variables, which may be passwords; ours tells that they changed',
  },
  {
    case: '21-jar-file-uri-standalone',
    what: 'refusal',
    where: 'input: refused only here, jar-uri',
    because:
      'recorded as a Java exception while the configuration is loaded, after which the resource cannot even be deleted; ours is refused with the way out',
  },
  {
    case: '23-no-jar-native',
    what: 'refusal',
    where: 'input: refused only here, jar-in-native-mode',
    because:
      'recorded as a NullPointerException of the Flink client; the JobManager itself would fail for the same reason',
  },
  {
    case: '40-ingress-host',
    what: 'refusal',
    where: '05-ingress-invalid: other words, ingress-template-url',
    because: 'recorded with the text of a Java exception; ours names what is wrong',
  },
  {
    case: '61-invalid-bad-jm-memory',
    what: 'refusal',
    where: 'input: other words, jobmanager-memory-size',
    because: 'recorded with the text of a Java exception; ours names field, value and what to write',
  },
  {
    case: '62-invalid-bad-tm-memory',
    what: 'refusal',
    where: 'input: other words, taskmanager-memory-size',
    because: 'recorded with the text of a Java exception; ours names field, value and what to write',
  },
  {
    case: '87-invalid-jm-bad-ephemeral',
    what: 'refusal',
    where: 'input: other words, jobmanager-ephemeral-storage',
    because: 'recorded with the text of a Java exception; ours names field, value and what to write',
  },
  {
    case: '91-invalid-jm-memory-too-small',
    what: 'refusal',
    where: 'input: refused only here, jobmanager-memory-fit',
    because:
      'recorded as accepted, then failing in the Flink client at every try; ours adds up the same memory beforehand',
  },
  {
    case: '93-invalid-bad-pull-policy',
    what: 'refusal',
    where: 'input: refused only here, image-pull-policy',
    because:
      'recorded as a Java exception while the configuration is loaded, after which the resource cannot even be deleted',
  },
  {
    case: '94-invalid-bad-jar-uri',
    what: 'refusal',
    where: 'input: refused only here, jar-uri',
    because:
      'recorded as a Java exception while the configuration is loaded, after which the resource cannot even be deleted',
  },
  {
    case: '95-invalid-bad-config-value',
    what: 'refusal',
    where: 'input: refused only here, configuration-value',
    because: 'recorded as accepted, then failing at every try; ours reads every option that it needs beforehand',
  },
  {
    case: '*',
    what: 'objects',
    where: 'the ConfigMap of the autoscaler',
    because: 'there is no autoscaler that would keep anything in it',
  },
  {
    case: '*',
    what: 'objects',
    where: 'the annotation cutover.dev/id',
    because: 'by it a repeated creation is told from a stranger in the way',
  },
  {
    case: '*',
    what: 'objects',
    where: 'paths of pod template files',
    because:
      'files of the recorded operator’s own disk; a JobManager reads the template of its TaskManagers from where it is mounted',
  },
  {
    case: '*',
    what: 'objects',
    where: 'spelling of quantities',
    because:
      'ours are written as the API server writes them back (500m for 0.5), so that nothing looks changed when it is not',
  },
  {
    case: '*',
    what: 'objects',
    where: 'an empty directory over the jar',
    because: 'mounted over /opt/flink/usrlib, it hides the very jar that the job is started from',
  },
  {
    case: '*',
    what: 'objects',
    where: 'order of secrets',
    because: 'recorded in the order of a hash table; ours is the order in which users wrote them',
  },
  {
    case: '47-containerized-env',
    what: 'objects',
    where: 'variables that are set twice',
    because: 'the last one counts anyway, and server-side apply refuses lists with repeated names',
  },
  {
    case: '15-ha-standalone-jm-replicas-2',
    what: 'objects',
    where: 'Deployment/NAME.spec.template.spec.containers.flink-main-container.args',
    because: 'Flink 2.0 has no --host any more; -D jobmanager.rpc.address means the same in all versions',
  },
  {
    case: '97-invalid-image-missing',
    what: 'objects',
    where: 'Deployment/NAME.spec.template.spec.containers.flink-main-container.image',
    because:
      'without an image, the official one of the version that the spec names, not of the version that the operator was built with',
  },
  {
    case: '*',
    what: 'objects',
    where: 'hostNetwork: false',
    because: 'the API server drops it, and what is dropped looks changed for ever',
  },
  {
    case: '11-nested-conf-v1-20',
    what: 'objects',
    where: 'config.yaml instead of flink-conf.yaml',
    because: 'a line of flink-conf.yaml ends at #, and what follows would be lost; Flink 1.19 and later read YAML',
  },
  {
    case: '*',
    what: 'refusal',
    where: 'a blue/green deployment: refused only here',
    because: 'the recorded operator judges no blue/green deployments; their FlinkDeployments then fail one by one',
    elsewhere: true,
  },
  {
    case: '*',
    what: 'blue/green',
    where: 'the state of the first deployment',
    because: 'recorded as TRANSITIONING_TO_BLUE; ours is INITIALIZING_BLUE until blue serves, as seed 001 has it',
  },
  {
    case: '*',
    what: 'blue/green',
    where: 'the state after a savepoint',
    because:
      'recorded as ACTIVE for a moment between SAVEPOINTING and TRANSITIONING; ours goes from one to the other, in one write with the source that the new side starts from',
  },
  {
    case: '*',
    what: 'blue/green',
    where: 'labels and annotations of a side',
    because:
      'recorded without those of template.metadata, which that operator accepts and ignores; and by cutover.dev/id a repeated creation is told from a stranger in the way',
  },
  {
    case: '*',
    what: 'blue/green',
    where: 'the colour in the address of a side',
    because:
      'recorded before whatever the template begins with, which breaks a path and a scheme; ours goes before the host or becomes a part of the path',
    elsewhere: true,
  },
];
