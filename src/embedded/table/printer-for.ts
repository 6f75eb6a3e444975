import type { Column, Printer } from '../resource.ts';
import { age } from './age.ts';
import { type JsonPath, parseJsonPath } from './json-path.ts';

/** An entry of a CustomResourceDefinition's `additionalPrinterColumns`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

const ageColumn: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** How a custom kind is shown: its name, then the columns it asks for, or its age when it asks for none. */
export function printerFor(additional: readonly PrinterColumn[] | undefined): Printer {
  const wanted = additional && additional.length > 0 ? additional : [ageColumn];
  const paths = wanted.map((column) => parseJsonPath(column.jsonPath));
  return {
    columns: [
      { name: 'Name', type: 'string', format: 'name', priority: 0 },
      ...wanted.map(
        (column): Column => ({
          name: column.name,
          type: column.type as Column['type'],
          ...(column.format && { format: column.format }),
          description:
            column.description || `Custom resource definition column (in JSONPath format): ${column.jsonPath}`,
          priority: column.priority ?? 0,
        }),
      ),
    ],
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...wanted.map((column, index) => cell(column.type, paths[index], object, now)),
    ],
  };
}

/** The first value found, if it is of the column's type. */
function cell(type: string, path: JsonPath | undefined, object: unknown, now: number) {
  const value = path?.(object)[0];
  if (value === undefined) return null;
  if (type === 'string') return typeof value === 'string' ? value : JSON.stringify(value);
  if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null;
  if (type === 'number') return typeof value === 'number' ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return type === 'date' && typeof value === 'string' ? age(value, now) : null;
}
