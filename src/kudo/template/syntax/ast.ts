import type { Callee } from '../functions/builtins.ts';
import type { GoInt } from '../value.ts';

/** Where something begins: the offset into the text of the template. */
interface Placed {
  readonly at: number;
}

/** What is printed or done, one after the other. */
export interface List extends Placed {
  readonly kind: 'list';
  readonly nodes: readonly Statement[];
}

export type Statement = Text | Action | Branch | Invocation | Break | Continue;

export interface Text extends Placed {
  readonly kind: 'text';
  readonly text: string;
}

/** `{{ pipeline }}`: its value is printed, unless it declares or assigns variables. */
export interface Action extends Placed {
  readonly kind: 'action';
  readonly pipe: Pipe;
}

export interface Branch extends Placed {
  readonly kind: 'if' | 'with' | 'range';
  readonly pipe: Pipe;
  readonly list: List;
  readonly otherwise?: List;
}

/** `{{ template "name" pipeline }}`, and what is left of a `block` after it has been defined. */
export interface Invocation extends Placed {
  readonly kind: 'template';
  readonly name: string;
  readonly pipe?: Pipe;
}

export interface Break extends Placed {
  readonly kind: 'break';
}

export interface Continue extends Placed {
  readonly kind: 'continue';
}

/** Commands of which each gets the value of the one before as its last argument. */
export interface Pipe extends Placed {
  readonly kind: 'pipe';
  /** Whether the variables are assigned (`=`), not declared (`:=`). */
  readonly isAssignment: boolean;
  readonly variables: readonly Variable[];
  readonly commands: readonly Command[];
}

/** A function, field, variable or constant, and arguments. */
export interface Command extends Placed {
  readonly kind: 'command';
  readonly words: readonly [Word, ...Word[]];
}

export type Word = Identifier | Variable | Field | Chain | Pipe | Dot | Nil | Bool | NumberLiteral | StringLiteral;

/** The name of a function, and the function. */
export interface Identifier extends Placed {
  readonly kind: 'identifier';
  readonly name: string;
  readonly callee: Callee;
}

/** `$x`, also with fields: `$x.a.b`. */
export interface Variable extends Placed {
  readonly kind: 'variable';
  /** With the dollar. */
  readonly name: string;
  readonly fields: readonly string[];
}

/** `.a.b` */
export interface Field extends Placed {
  readonly kind: 'field';
  readonly fields: readonly string[];
}

/** `(pipeline).a.b`, or a function's name before the fields. */
export interface Chain extends Placed {
  readonly kind: 'chain';
  readonly of: Word;
  readonly fields: readonly string[];
}

export interface Dot extends Placed {
  readonly kind: 'dot';
}

export interface Nil extends Placed {
  readonly kind: 'nil';
}

export interface Bool extends Placed {
  readonly kind: 'bool';
  readonly value: boolean;
}

/** A number, which may count as several of Go's types: `3` and `3.0` are good for an int as well as for a float. */
export interface NumberLiteral extends Placed {
  readonly kind: 'number';
  readonly text: string;
  readonly int?: bigint;
  readonly uint?: bigint;
  readonly float: number;
  /** What it is where nobody asks for a type: its spelling decides. Missing when it is too large for that. */
  readonly value?: number | GoInt;
}

export interface StringLiteral extends Placed {
  readonly kind: 'string';
  /** As it stands in the template, with its quotes. */
  readonly quoted: string;
  readonly text: string;
}

export type Node = List | Statement | Command | Word;
