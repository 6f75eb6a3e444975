/** What people can type, and what it is for; the same in help texts and completion. Small: every start of the program reads it. */
export const words = {
  list: 'list workloads of every family, those that need somebody first',
  get: 'show all about one workload: what serves, what changes, how far it is, what to do',
  status: 'wait until a workload has settled: exit code 0 healthy, 1 failed, 2 timed out, 3 waits for a person',
  history: 'show the last changes of a workload, and how they ended',
  why: 'tell why a pod was made or restarted, and why it will be',
  graph: 'show what depends on what: a change of the first changes the rest',
  plan: 'tell what a change would do, and do nothing: exit code 0 nothing, 2 no restart, 3 restart, 4 downtime or loss of state, 1 error',
  promote: 'let what waits take over',
  abort: 'give up what is being changed; what serves stays',
  rollback: 'go back to what was before the last change',
  pause: 'make the operator leave a workload alone',
  resume: 'let the operator, or what was suspended, go on',
  restart: 'restart a workload with the care of its family',
  retry: 'try again what failed',
  suspend: 'stop a workload, and keep its state',
  logs: 'print the logs of all pods of a workload',
  report: 'write a file for whoever helps: objects, portraits, events and logs, without secrets',
  completion: 'print the completion script of a shell',
} as const;

export type Word = keyof typeof words;

export function isWord(text: string): text is Word {
  return Object.hasOwn(words, text);
}
