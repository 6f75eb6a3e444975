import { readFileSync } from 'node:fs';

/** Everything that changes something is written down, with who asked and what came of it. */
export const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
  - level: Metadata
    verbs: [create, update, patch, delete, deletecollection]
`;

/** A write as the API server saw it. */
export interface Write {
  /** Who asked: the name of a replica. */
  readonly by: string;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** The status of the answer. */
  readonly code: number;
  /** Wall clock: when the request arrived. */
  readonly at: number;
}

interface AuditEvent {
  readonly verb: string;
  readonly impersonatedUser?: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly namespace?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp: string;
}

/** What was written in a namespace, in the order in which it was done. Who impersonates nobody is a person, and left out. */
export function writesIn(file: string, namespace: string): readonly Write[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line) => {
    const event = parsed(line);
    if (!event?.impersonatedUser || event.objectRef?.namespace !== namespace) return [];
    const { resource = '', name = '' } = event.objectRef;
    const by = event.impersonatedUser.username;
    const code = event.responseStatus?.code ?? 0;
    const at = Date.parse(event.requestReceivedTimestamp);
    return [{ by, verb: event.verb, resource, namespace, name, code, at }];
  });
}

/** The last line may be half written. */
function parsed(line: string): AuditEvent | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as AuditEvent);
  } catch {
    return undefined;
  }
}

/** That it answered with success, and is about the work: neither the lease nor an event that tells of it. */
export function isDeed({ code, resource }: Write): boolean {
  return code >= 200 && code < 300 && resource !== 'leases' && resource !== 'events';
}

/** How often each object of a resource was made, by its name. */
export function timesMade(writes: readonly Write[], resource: string): Readonly<Record<string, number>> {
  const times: Record<string, number> = {};
  for (const write of writes) {
    if (write.resource !== resource || write.code !== 201) continue;
    times[write.name] = (times[write.name] ?? 0) + 1;
  }
  return times;
}
