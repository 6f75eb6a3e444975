import { emptySet, type FieldSet } from './field-set.ts';

const one: FieldSet = emptySet;

/** What every object has and the server sets: nobody manages these. */
export const serverFields: FieldSet = {
  'f:apiVersion': one,
  'f:kind': one,
  'f:metadata': {
    '.': one,
    'f:name': one,
    'f:namespace': one,
    'f:creationTimestamp': one,
    'f:selfLink': one,
    'f:uid': one,
    'f:clusterName': one,
    'f:generation': one,
    'f:managedFields': one,
    'f:resourceVersion': one,
  },
};
