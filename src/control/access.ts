/** What the API server is asked to allow. */
export type AccessVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | 'bind'
  | 'escalate'
  | 'impersonate';

/**
 * What a part of the operator asks of the API server, and why. The roles that an installation has are made of these and of
 * nothing else; a test plays every part and fails on what is asked without a grant, and on a grant that nobody uses.
 */
export interface Grant {
  /** The API group; empty for the core. */
  readonly group: string;
  /** Plural names, with a subresource where it is one: `pods/log`. */
  readonly resources: readonly string[];
  readonly verbs: readonly AccessVerb[];
  /** Only the objects of these names. */
  readonly names?: readonly string[];
  /**
   * `watched`: in the namespaces that the operator looks at, which are all unless it was told otherwise.
   * `home`: in its own namespace. `cluster`: of kinds that are in no namespace.
   * `places`: only in namespaces in which the operator binds the role to itself, because it made them.
   * `elsewhere`: in the namespace of another operator for the same kinds, if whoever installs names one.
   */
  readonly where: 'watched' | 'home' | 'cluster' | 'places' | 'elsewhere';
  /** For whoever reviews the role: what it is needed for, in a few words. */
  readonly why: string;
}

/** What may be done to which resources, as RBAC writes it. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** Looking at objects and following what becomes of them. The reflector lists where a server cannot stream what there is. */
export const follow = ['list', 'watch'] as const satisfies readonly AccessVerb[];
