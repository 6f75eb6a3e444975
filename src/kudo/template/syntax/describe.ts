import { quote } from '../format/quote.ts';
import type { Branch, Node, Pipe, Word } from './ast.ts';
import { elseBranch } from './else-branch.ts';

/** A part of a template written out again, as Go does in its messages: normal spaces, comments gone. */
export function describe(node: Node): string {
  switch (node.kind) {
    case 'list':
      return node.nodes.map(describe).join('');
    case 'text':
      return node.text;
    case 'action':
      return `{{${describe(node.pipe)}}}`;
    case 'if':
    case 'with':
    case 'range':
      return branch(node);
    case 'template':
      return `{{template ${quote(node.name)}${node.pipe ? ` ${describe(node.pipe)}` : ''}}}`;
    case 'break':
      return '{{break}}';
    case 'continue':
      return '{{continue}}';
    case 'pipe':
      return declarations(node) + node.commands.map(describe).join(' | ');
    case 'command':
      return node.words.map(inParentheses).join(' ');
    case 'identifier':
      return node.name;
    case 'variable':
      return [node.name, ...node.fields].join('.');
    case 'field':
      return `.${node.fields.join('.')}`;
    case 'chain':
      return `${inParentheses(node.of)}.${node.fields.join('.')}`;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'number':
      return node.text;
    case 'string':
      return node.quoted;
  }
}

function branch(first: Branch): string {
  let text = '';
  let ends = '';
  for (let node: Branch | undefined = first; node; ) {
    const next = elseBranch(node);
    text += `{{${node.kind} ${describe(node.pipe)}}}${describe(node.list)}`;
    if (node.otherwise) text += next ? '{{else}}' : `{{else}}${describe(node.otherwise)}`;
    ends += '{{end}}';
    node = next;
  }
  return text + ends;
}

function declarations({ variables, isAssignment }: Pipe): string {
  if (variables.length === 0) return '';
  return `${variables.map(describe).join(', ')} ${isAssignment ? '=' : ':='} `;
}

function inParentheses(word: Word): string {
  return word.kind === 'pipe' ? `(${describe(word)})` : describe(word);
}
