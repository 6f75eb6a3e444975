import type { World } from '../../../src/embedded/world.ts';
import { kinds } from '../../../src/kube/kinds.ts';
import type { AnyObject } from '../../../src/kube/object.ts';
import type { ResourceType } from '../../../src/kube/resource-type.ts';
import { annotations } from '../../../src/kudo/keys.ts';
import { type Instance, instance as instanceKind } from '../../../src/kudo/resources/instance.ts';

/** What there is in a namespace, in the words of the recordings: `Instance/one deploy/first/main` → `COMPLETE`. */
export type Facts = ReadonlyMap<string, string>;

/** Kinds that Kubernetes makes, and those of packages. */
const aside = new Set([
  'ControllerRevision',
  'Endpoints',
  'EndpointSlice',
  'Event',
  'Instance',
  'Lease',
  'Operator',
  'OperatorVersion',
  'ReplicaSet',
  'ServiceAccount',
]);

export function factsOf(world: World, namespace: string): Facts {
  const facts = new Map<string, string>();
  for (const one of world.list<Instance>(instanceKind.type, { namespace })) sayInstance(one, facts);
  for (const type of typesOf(world)) for (const object of world.list(type, { namespace })) sayObject(object, facts);
  const pods = world.list(kinds.pods, { namespace });
  return new Map([...facts].map(([fact, value]) => [fact, withoutChance(value, pods)]));
}

/** Pods by what they belong to: their templates, one for each pod. */
export function podsOf(world: World, namespace: string): ReadonlyMap<string, readonly string[]> {
  const pods = new Map<string, readonly string[]>();
  for (const { metadata } of world.list(kinds.pods, { namespace })) {
    const { labels = {}, ownerReferences: [owner] = [] } = metadata;
    if (!owner || owner.kind === 'Instance') continue;
    const workload =
      owner.kind === 'ReplicaSet' ? `Deployment/${owner.name.replace(/-[^-]+$/, '')}` : `${owner.kind}/${owner.name}`;
    const template = labels['controller-revision-hash'] ?? labels['pod-template-hash'] ?? '';
    pods.set(workload, [...(pods.get(workload) ?? []), template]);
  }
  return pods;
}

/** Events about Instances by their identity, with how often each was told. */
export function eventsOf(world: World, namespace: string): ReadonlyMap<string, string> {
  return new Map(
    world
      .list<EventObject>(kinds.events, { namespace })
      .filter(({ regarding }) => regarding?.kind === 'Instance')
      .map((event) => [
        `${event.metadata.uid} ${event.metadata.resourceVersion}`,
        `Instance/${event.regarding?.name} ${event.type} ${event.reason}: ${event.note}`,
      ]),
  );
}

type EventObject = AnyObject & {
  readonly regarding?: { readonly kind?: string; readonly name?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly note?: string;
};

let listed: readonly ResourceType[] | undefined;

function typesOf(world: World): readonly ResourceType[] {
  listed ??= world.types().filter(({ kind, namespaced }) => namespaced && !aside.has(kind));
  return listed;
}

function sayInstance({ metadata, spec, status = {} }: Instance, facts: Map<string, string>): void {
  const name = `Instance/${metadata.name}`;
  facts.set(name, metadata.deletionTimestamp === undefined ? 'there' : 'being deleted');
  facts.set(`${name} version`, status.accepted?.operatorVersion.name ?? '');
  facts.set(`${name} parameters`, text(status.accepted?.parameters ?? {}));
  facts.set(`${name} runs`, spec.planExecution?.planName ?? '');
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  if (ready) facts.set(`${name} Ready`, told(`${ready.status} ${ready.reason}`, ready.message));
  for (const [plan, { status: progress, uid, message, phases }] of Object.entries(status.planStatus ?? {})) {
    facts.set(`${name} ${plan}`, told(progress, message));
    if (uid) facts.set(`${name} ${plan} uid`, uid);
    for (const phase of phases ?? []) {
      facts.set(`${name} ${plan}/${phase.name}`, told(phase.status, phase.message));
      for (const step of phase.steps ?? []) {
        facts.set(`${name} ${plan}/${phase.name}/${step.name}`, told(step.status, step.message));
      }
    }
  }
}

function told(status = '', message = ''): string {
  return message === '' ? status : `${status}: ${message}`;
}

function sayObject(object: AnyObject, facts: Map<string, string>): void {
  const { kind, metadata } = object;
  const { labels = {}, annotations: said = {}, ownerReferences: owners = [] } = metadata;
  if (metadata.name === 'kube-root-ca.crt') return;
  if (owners.length > 0 && !owners.some((owner) => owner.kind === 'Instance')) return;
  const name = `${kind}/${metadata.name}`;
  facts.set(name, text(contentOf(object)));
  if (metadata.deletionTimestamp !== undefined) facts.set(`${name} deletion`, 'yes');
  facts.set(`${name} labels`, text(labels));
  const own = Object.entries(said).filter(([key]) => !/(?:kudo\.dev|kubernetes\.io|cutover\.dev)\//.test(key));
  if (own.length > 0) facts.set(`${name} annotations`, text(Object.fromEntries(own)));
  const place = [annotations.plan, annotations.phase, annotations.step].map((key) => said[key]);
  if (place[0] !== undefined) facts.set(`${name} place`, place.join('/'));
  const uid = said[annotations.planUid];
  if (uid !== undefined) facts.set(`${name} uid`, uid);
  if (owners.length > 0) facts.set(`${name} owner`, owners.map((owner) => `${owner.kind}/${owner.name}`).join(', '));
}

/** What changes in the recordings; how an object is as a whole is compared elsewhere. */
function contentOf({ kind, data, binaryData, spec }: AnyObject): object {
  const { replicas, schedule, suspend } = (spec ?? {}) as Readonly<Record<string, unknown>>;
  switch (kind) {
    case 'ConfigMap':
      return { ...(filled(binaryData) && { binaryData }), ...(filled(data) && { data }) };
    case 'Secret':
      return { data: data ?? {} };
    case 'Deployment':
    case 'StatefulSet':
      return { replicas };
    case 'CronJob':
      return { schedule, suspend };
    default:
      return {};
  }
}

function filled(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** Sorted JSON. */
function text(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}

/** Names of pods without what chance put at their ends. */
function withoutChance(value: string, pods: readonly AnyObject[]): string {
  let worded = value;
  for (const { metadata } of pods) {
    const { name = '', generateName } = metadata;
    if (generateName !== undefined && worded.includes(name)) worded = worded.replaceAll(name, `${generateName}<rand>`);
  }
  return worded;
}
