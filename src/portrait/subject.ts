/** The object that a portrait, a plan or a command is about. */
export interface Subject {
  /** `flink` */
  readonly family: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** What people call it, where that is not its name: the name of a CF app. */
  readonly title?: string;
}

/** One word for an object of any kind, in URLs, on the wire and as a key: `Instance/default/ledger`. */
export function subjectId({ kind, namespace, name }: Pick<Subject, 'kind' | 'namespace' | 'name'>): string {
  return `${kind}/${namespace}/${name}`;
}
