import type { Client } from '../../kube/client.ts';
import type { AnyObject } from '../../kube/object.ts';
import type { Write } from '../../portrait/verb.ts';

/** Does what a verb asked for, in order, and answers with what the server has after the last one. The first refusal ends it. */
export async function doWrites(client: Client, writes: readonly Write[]): Promise<AnyObject | undefined> {
  let answer: AnyObject | undefined;
  for (const write of writes) answer = await doWrite(client, write);
  return answer;
}

async function doWrite(client: Client, write: Write): Promise<AnyObject | undefined> {
  const resource = client.resource(write.type);
  switch (write.do) {
    case 'patch':
      return resource.patch(nameOf(write), { type: 'json', body: write.patch }, { fieldManager: 'cutover' });
    case 'create':
      return resource.create(write.object, { fieldManager: 'cutover' });
    case 'delete':
      await resource.delete(nameOf(write), { preconditions: { uid: write.uid } });
      return undefined;
    default:
      return write satisfies never;
  }
}

function nameOf({ type, namespace, name }: Exclude<Write, { readonly do: 'create' }>) {
  return type.namespaced ? { namespace, name } : { name };
}
