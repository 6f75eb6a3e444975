import type { IntOrString } from '../kinds/objects/condition.ts';
import type { Container, Pod, Probe } from '../kinds/objects/pod.ts';
import type { Running } from '../programs/program.ts';

/** Why a probe fails, in the kubelet's words; `undefined` when it succeeds, or is of a kind that is believed. */
export async function probeFailure(
  running: Running,
  container: Container,
  { status }: Pod,
  { httpGet, tcpSocket }: Probe,
): Promise<string | undefined> {
  const asked = httpGet ?? tcpSocket;
  if (!asked) return undefined;
  const port = portOf(container, asked.port);
  const address = `${status?.podIP ?? '127.0.0.1'}:${port}`;
  const refused = `dial tcp ${address}: connect: connection refused`;
  if (!httpGet) return running.listens?.(port) === false ? refused : undefined;
  const path = httpGet.path ?? '/';
  const answer = await running.respond?.(port, { method: 'GET', path });
  if (!answer) return `Get "http://${address}${path}": ${refused}`;
  const fine = answer.status >= 200 && answer.status < 400;
  return fine ? undefined : `HTTP probe failed with statuscode: ${answer.status}`;
}

/** A port by its number, or by the name that the container gave it. */
function portOf({ ports = [] }: Container, port: IntOrString | undefined): number {
  const named = ports.find(({ name }) => name === port)?.containerPort;
  return named ?? Number(port ?? 0);
}
