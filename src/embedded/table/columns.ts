import type { AnyObject } from '../../kube/object.ts';
import type { Column, Printer } from '../resource.ts';

type Cell = string | number | boolean | null;

/**
 * Columns from a line: `Name | Ready | Replicas:integer | IP+`. A plus marks what only `-o wide` shows, a type follows
 * a colon (`string` without one), and the column called Name is the object's name.
 */
export function columns(line: string): readonly Column[] {
  return line.split(' | ').map((spec) => {
    const [label = '', type = 'string'] = spec.replace(/\+$/, '').split(':');
    return {
      name: label,
      type: type as Column['type'],
      ...(label === 'Name' && { format: 'name' }),
      priority: spec.endsWith('+') ? 1 : 0,
    };
  });
}

/** A printer from a line of columns and a function that fills a row. */
export function printer(line: string, cells: (object: AnyObject, now: number) => readonly Cell[]): Printer {
  return { columns: columns(line), cells };
}
