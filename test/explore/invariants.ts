/** What must never be the case. The names are those of the docs. */
export const invariants = {
  'serves until succeeded':
    'A side that served serves until a ready successor does, unless the user suspends or deletes it or it fails by itself.',
  'traffic to the ready':
    'The Ingress is never led to a side that is gone or not ready while another is ready, and never left there.',
  'abort spares the server': 'The serving side is never deleted or suspended by an abort.',
  'right state':
    'A target starts from this transition’s savepoint of the serving side, a checkpoint that the table names, or the user’s path; empty only in the first deployment or by a stateless mode.',
  'nonce once': 'Each change of a redeploy nonce acts exactly once; of several in a row, the last.',
  'no edit lost': 'When the world stops changing, the serving side has the newest spec, or status says why not.',
  'comes to rest': 'When the world stops changing, the operator stops writing, and waits only for what it names.',
  'delay kept':
    'The old side is deleted no sooner than the deletion delay after its successor was ready and had the traffic.',
  'fresh target': 'A side that takes over was made in this transition, or served before in it.',
  'nothing after the end': 'Nothing is created for a resource that is being deleted.',
} as const;

export type Invariant = keyof typeof invariants;

export interface Broken {
  readonly invariant: Invariant;
  readonly why: string;
}
