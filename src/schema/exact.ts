/**
 * A type as JSON knows it: a property is there with a value, or it is not there. Zod's optional properties may also hold
 * `undefined`, which JSON cannot.
 */
export type Exact<T> = T extends readonly (infer E)[]
  ? readonly Exact<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Exact<Exclude<T[K], undefined>> }
    : T;
