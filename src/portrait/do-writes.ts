import type { Client } from '../kube/client.ts';
import type { AnyObject } from '../kube/object.ts';
import type { Write } from './verb.ts';

/**
 * Does what a verb asked for, in order, in the name of whoever the client speaks for, and answers with what the server has after
 * the last one. The first refusal ends it.
 */
export async function doWrites(
  client: Client,
  writes: readonly Write[],
  fieldManager: string,
): Promise<AnyObject | undefined> {
  let answer: AnyObject | undefined;
  for (const write of writes) answer = await doWrite(client, write, fieldManager);
  return answer;
}

async function doWrite(client: Client, write: Write, fieldManager: string): Promise<AnyObject | undefined> {
  const resource = client.resource(write.type);
  switch (write.do) {
    case 'patch':
      return resource.patch(nameOf(write), { type: 'json', body: write.patch }, { fieldManager });
    case 'create':
      return resource.create(write.object, { fieldManager });
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
