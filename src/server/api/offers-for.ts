import type { AnyObject } from '../../kube/object.ts';
import { qualifiedName } from '../../kube/resource-type.ts';
import { offers } from '../../portrait/offers.ts';
import type { Write } from '../../portrait/verb.ts';
import type { Offer } from '../../portrait/wire.ts';
import type { Around, Workload } from '../../portrait/workload.ts';
import type { Access, Question } from '../access/access.ts';

export interface OffersAsked {
  readonly workload: Workload;
  readonly object: AnyObject;
  readonly around: Around;
  readonly access: Access;
  readonly readOnly: boolean;
  /** What people type in front of a command. */
  readonly program: string;
}

/** What a person could do now: what the workload offers, less what they may not write. @throws Refusal 401, 503 */
export async function offersFor(asked: OffersAsked): Promise<readonly Offer[]> {
  const { workload, object, around, access, readOnly, program } = asked;
  return Promise.all(
    offers(workload, object, around, program).map(async (offer): Promise<Offer> => {
      if (offer.whyNot !== undefined) return offer;
      if (readOnly) return { ...offer, whyNot: 'This dashboard only shows. Use the command.' };
      const verb = workload.verbs.find(({ name }) => name === offer.verb);
      const steering = verb?.request(object, around, { id: 'offer' });
      for (const write of steering?.is === 'writes' ? steering.writes : []) {
        const question = rightFor(write);
        if (!(await access.may(question))) return { ...offer, whyNot: mayNot(question) };
      }
      return offer;
    }),
  );
}

/** What somebody must be allowed to do in order to write this. */
function rightFor(write: Write): Question {
  const { type } = write;
  const namespace = write.do === 'create' ? write.object.metadata.namespace : write.namespace;
  return { verb: write.do, type, ...(namespace !== undefined && { namespace }) };
}

function mayNot({ verb, type, namespace }: Question): string {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return `You may not ${verb} ${qualifiedName(type)}${where}. Ask for a role that allows it.`;
}
