import type { Steering, Verb, VerbName, Wish } from '../../../portrait/verb.ts';
import type { BlueGreenView } from '../../blue-green-view.ts';
import type { OperatorConfig } from '../../config/operator-config.ts';
import { flinkBlueGreenDeployment } from '../../resources/flink-blue-green-deployment.ts';
import { notOurs, type Pausable } from '../pause-verbs.ts';
import { refused } from '../steering.ts';
import { type BlueGreenLook, blueGreenLook } from './blue-green-look.ts';
import { viewAround } from './view-around.ts';

/** What a verb must know beside the object. */
export interface Asked {
  readonly operator: () => OperatorConfig;
}

type Answer = (l: BlueGreenLook, view: BlueGreenView, wish: Wish) => Steering;

/** A verb of blue/green. Unless it is `always` asked, it is refused where nothing would come of it. */
export function blueGreenVerb(name: VerbName, summary: string, answer: Answer, always = false): (asked: Asked) => Verb {
  return ({ operator }) => ({
    name,
    summary,
    request(object, around, wish) {
      const l = blueGreenLook(object, operator());
      const why = always ? undefined : notOurs(pausable(l));
      return why === undefined ? answer(l, viewAround(l.resource, around, operator()), wish) : refused(why);
    },
  });
}

export function pausable({ resource, status, transition }: BlueGreenLook): Pausable {
  const underWay = transition !== undefined || status.inPlace !== undefined;
  return { type: flinkBlueGreenDeployment.type, resource, status, underWay };
}
