import { blueGreenWorkloads } from './bluegreen/workloads.ts';
import { cloudFoundry } from './cloudfoundry/cloudfoundry.ts';
import { flink, flinkSubject } from './flink/flink.ts';
import { kudo } from './kudo/kudo.ts';
import type { Subject } from './subject.ts';
import { toy } from './toy/toy.ts';

export const blueGreen: Subject = flinkSubject('bluegreen', blueGreenWorkloads);

/** All that can be simulated: the families, and the toy that shows how a family is built. */
export const subjects: readonly Subject[] = [toy, flink, blueGreen, kudo, cloudFoundry];
