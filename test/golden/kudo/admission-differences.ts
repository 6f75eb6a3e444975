/** How a verdict can differ from what KUDO did. */
export type Differs =
  /** KUDO refuses because a plan runs; here the change waits for its end. */
  | 'waits'
  /** KUDO refuses because a plan runs; here the plan is cancelled. */
  | 'cancels'
  /** Both refuse, with other words. */
  | 'words'
  /** Both start the plan, with other values. */
  | 'values'
  /** KUDO runs a plan; here nothing has to be done. */
  | 'nothing to do';

/** A known difference between what Cutover does and what was recorded, with the reason why it stays. */
export interface AdmissionDifference {
  /** `package/step` of the recordings. */
  readonly step: string;
  readonly differs: Differs;
  readonly because: string;
}

const waits =
  'what only a running plan stands against is not refused: it waits, visibly, and starts when the plan ends';
const kept =
  'an immutable value that is no longer given and equals its default stays as it was accepted: KUDO forgets it, and another default of a later version would change it';

/** All of them. A difference that is not listed fails the comparison, and so does an entry that no longer occurs. */
export const admissionDifferences: readonly AdmissionDifference[] = [
  {
    step: '01-configmap/08-two-triggers-denied',
    differs: 'words',
    because: 'the plans are listed in the order of a Go map, which varies; ours are sorted',
  },
  {
    step: '01-configmap/20-manual-trigger-and-param',
    differs: 'words',
    because: 'KUDO puts the old and the new name where the plan of the parameters and the triggered one belong',
  },
  { step: '02-statefulset/09-running-other-plan-param-denied', differs: 'waits', because: waits },
  { step: '02-statefulset/10-running-other-plan-param-denied-cli', differs: 'waits', because: waits },
  { step: '02-statefulset/11-running-manual-other-denied', differs: 'waits', because: waits },
  { step: '02-statefulset/12-running-manual-other-denied-cli', differs: 'waits', because: waits },
  {
    step: '02-statefulset/13-running-cancel-denied',
    differs: 'cancels',
    because: 'a plan that runs can be cancelled: otherwise a stuck one could never be left',
  },
  {
    step: '02-statefulset/14-running-cleanup-denied',
    differs: 'words',
    because:
      'a user never runs the plan cleanup; what runs at the moment does not matter to that, so ours says the same as when nothing runs',
  },
  { step: '02-statefulset/15-running-upgrade-denied-cli', differs: 'waits', because: waits },
  { step: '10-strategies/16-hold-serial-different-param-denied', differs: 'waits', because: waits },
  { step: '11-parameters/32-immutable-removed', differs: 'nothing to do', because: kept },
  { step: '11-parameters/39-gone-set-first', differs: 'values', because: kept },
  {
    step: '11-parameters/40-upgrade-all-given-cli',
    differs: 'values',
    because:
      'KUDO takes the value of a parameter that the upgrade removed out of the spec; ours leaves the spec to its author, and no template sees the value',
  },
];
