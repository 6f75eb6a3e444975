/**
 * Who depends on whom in a package: a change of what an edge comes from may change what it goes to. Plain data, meant to be
 * printed as JSON. Nodes and edges are in a stable order, ids do not depend on values. No value of any parameter or object
 * is in it, only names, files, keys and fields.
 */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The package is too large to be looked at in full: edges may be missing. */
  readonly incomplete?: true;
}

export type GraphNode = ParameterNode | PlanNode | TaskNode | TemplateNode | ObjectNode;

/** `param/NODE_COUNT` */
export interface ParameterNode {
  readonly id: string;
  readonly type: 'parameter';
  readonly name: string;
  /** Whether a change restarts pods, whatever it reaches. */
  readonly forcePodRestart: boolean;
}

/** `plan/deploy` */
export interface PlanNode {
  readonly id: string;
  readonly type: 'plan';
  readonly name: string;
}

/** `task/app` */
export interface TaskNode {
  readonly id: string;
  readonly type: 'task';
  readonly name: string;
  /** Apply, Delete, Toggle, Pipe, KudoOperator or Dummy. */
  readonly kind: string;
}

/** `template/stateful-set.yaml` */
export interface TemplateNode {
  readonly id: string;
  readonly type: 'template';
  readonly file: string;
  /** It could not be rendered with the present values, so nothing is known of what it makes. */
  readonly broken?: { readonly reason: string; readonly line?: number };
}

/** `workload/StatefulSet/ledger` if it runs pods, else `object/ConfigMap/ledger`; kinds of others are `Kind.group`. */
export interface ObjectNode {
  readonly id: string;
  readonly type: 'object' | 'workload';
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /**
   * - `package`: a template makes it;
   * - `cluster`: it is not made by the package, but there is one;
   * - `unknown`: pods refer to it, and nothing is known of it.
   */
  readonly source: 'package' | 'cluster' | 'unknown';
  /** Of a ConfigMap or Secret: its keys, which are files or variables for pods. */
  readonly keys?: readonly string[];
}

export type GraphEdge = { readonly from: string; readonly to: string } & (
  | {
      /** A template names a parameter. `any`: it reads the parameters as a whole, so it may read this one. */
      readonly type: 'reads';
      readonly lines: readonly number[];
      readonly any?: true;
    }
  /** A change of a parameter runs this plan. */
  | { readonly type: 'triggers' }
  | { readonly type: 'runs' }
  | { readonly type: 'applies' | 'deletes' | 'toggles' | 'pipes' | 'configures' }
  /** A parameter decides whether the objects of a task are there. */
  | { readonly type: 'switches' }
  | { readonly type: 'renders' }
  | {
      /** Seen by rendering with another value: these fields of the object change with the parameter. */
      readonly type: 'changes';
      readonly fields: readonly string[];
      /** Some of them are in the pod template: Kubernetes replaces the pods. */
      readonly podTemplate: boolean;
    }
  | {
      /** Pods of the workload use the object. */
      readonly type: 'feeds';
      readonly by: readonly Use[];
      /** Only these keys; absent: all. */
      readonly keys?: readonly string[];
    }
);

/** How pods use an object. */
export type Use = 'volume' | 'projected' | 'env' | 'envFrom' | 'imagePullSecret' | 'serviceAccount' | 'claim';

/** What a graph looks at, at most. A package comes from others, and is rendered many times for its graph. */
export interface GraphLimits {
  /** Renderings of templates with changed values, for the whole graph. */
  readonly probes: number;
  /** What the renderings of the whole graph may take together, in characters: see `RenderLimits`. */
  readonly work: number;
  /** Fields that are listed for one edge. */
  readonly fields: number;
  /** Fields that are compared for one pair of objects. */
  readonly compared: number;
}

export const GRAPH_LIMITS: GraphLimits = { probes: 4000, work: 30_000_000, fields: 50, compared: 100_000 };
