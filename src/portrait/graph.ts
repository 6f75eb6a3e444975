/** Who depends on whom: a change of what an edge comes from may change what it goes to. Names only, never values. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** It was too large to be looked at in full: edges may be missing. */
  readonly incomplete?: boolean;
}

export interface GraphNode {
  /** Stable: `param/NODE_COUNT`. */
  readonly id: string;
  /** `parameter`, `template`, `object`, `workload`, `plan`, `task` */
  readonly type: string;
  readonly label: string;
  readonly note?: string;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** `reads`, `renders`, `feeds` */
  readonly type: string;
  readonly label?: string;
}
