import type { ASTNode } from '@marcbachmann/cel-js';

/** A node of an expression and every node below it. */
export function* nodesOf(value: unknown): Generator<ASTNode> {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
  } else if (typeof value === 'object' && value !== null && 'op' in value && 'args' in value) {
    const node = value as ASTNode;
    yield node;
    yield* nodesOf(node.args);
  }
}
