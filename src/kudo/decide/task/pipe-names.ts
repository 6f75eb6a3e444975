/** Where a Pipe task stands: all that its names are made of. */
export interface PipePlace {
  readonly instance: string;
  readonly plan: string;
  readonly phase: string;
  readonly step: string;
  readonly task: string;
}

/** The name of the pod of a Pipe task. */
export function pipePodName(place: PipePlace): string {
  return nameOf(place, 'pipepod');
}

/** The name of the ConfigMap or Secret that a file becomes. */
export function artifactName(place: PipePlace, key: string): string {
  return nameOf(place, key);
}

/**
 * As KUDO names them, so that what it made is found again: `<instance>.<plan>.<phase>.<step>.<task>.<suffix>`, of each part
 * only its letters and digits. Different places can therefore have the same name: see `pipeConflict`.
 */
function nameOf({ instance, plan, phase, step, task }: PipePlace, suffix: string): string {
  return [instance, plan, phase, step, task, suffix].map(bare).join('.');
}

function bare(part: string): string {
  return part.toLowerCase().replace(/[^a-z0-9]+/g, '');
}
