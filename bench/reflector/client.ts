import { Client } from '../../src/kube/client.ts';
import { httpTransport } from '../../src/kube/http-transport.ts';
import { kinds } from '../../src/kube/kinds.ts';
import type { AnyObject } from '../../src/kube/object.ts';
import { listWatch } from '../../src/kube/reflector/list-watch.ts';
import { reflect } from '../../src/kube/reflector/reflect.ts';
import { Store } from '../../src/kube/reflector/store.ts';
import { measure, server } from './measure.ts';

/** Our reflector and store with two indexes, as an operator runs them. */
const client = new Client(httpTransport({ server }));
const store = new Store<AnyObject, 'namespace' | 'owner'>({
  indexes: {
    namespace: (pod) => [pod.metadata.namespace ?? ''],
    owner: (pod) => (pod.metadata.ownerReferences ?? []).map((owner) => owner.uid),
  },
});

const ruler = measure('reflector');
const stop = new AbortController();
ruler.burstOver.then(() => stop.abort());
for await (const event of reflect(listWatch(client.resource(kinds.pods)), { signal: stop.signal })) {
  store.apply(event);
  if (event.type === 'apply') ruler.event();
  else if (event.type === 'trouble') throw event.error;
  else if (event.type === 'synced') {
    ruler.synced(store.size);
    ruler.burst();
  }
}
ruler.done();
await client.close();
