import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AnyObject } from '../../kube/object.ts';
import type { Printer } from '../resource.ts';
import { asTable } from './as-table.ts';
import { type PrinterColumn, printerFor } from './printer-for.ts';
import { printerOf } from './printer-of.ts';

interface Recorded {
  readonly now: number;
  readonly columns: readonly unknown[];
  readonly rows: readonly { readonly cells: unknown; readonly conditions?: unknown; readonly object: AnyObject }[];
}

/** Tables of the real server, each with the objects that they show. */
const recorded: readonly Recorded[] = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8'));
const definition = recorded
  .flatMap((table) => table.rows)
  .find(({ object }) => object.metadata.name === 'gizmos.gates.example.com')?.object as unknown as {
  spec: { versions: { additionalPrinterColumns: PrinterColumn[] }[] };
};

function printerOfObject(object: AnyObject): Printer | undefined {
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : '';
  return group === 'gates.example.com'
    ? printerFor(definition.spec.versions[0]?.additionalPrinterColumns)
    : printerOf(group ?? '', object.kind);
}

const object = (fields: Record<string, unknown> = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'a', creationTimestamp: '2030-01-01T00:00:00Z' },
  ...fields,
});

describe('asTable', () => {
  const tables = recorded.map((table) => {
    const first = table.rows[0]?.object as AnyObject;
    return [`${first.apiVersion} ${first.kind}`, table, printerOfObject(first)] as const;
  });

  it.each(tables)('shows %s with the real server’s columns', (_, table, printer) => {
    const { columnDefinitions } = asTable({ printer }, [], { now: table.now });
    const withoutDescriptions = (columnDefinitions as object[]).map((each) => ({ ...each, description: '' }));
    expect(withoutDescriptions).toEqual(table.columns);
  });

  const rows = tables.flatMap(([title, table, printer]) =>
    table.rows.map((row) => [`${title} ${row.object.metadata.name}`, row, table.now, printer] as const),
  );

  it.each(rows)('shows %s as the real server does', (_, row, now, printer) => {
    const table = asTable({ printer }, [row.object], { now });
    const [ours] = table.rows as { cells: unknown; conditions?: unknown }[];
    expect(ours?.cells).toEqual(row.cells);
    expect(ours?.conditions).toEqual(row.conditions);
  });

  it('carries the metadata of each object, all of it, or nothing', () => {
    const rowsOf = (includeObject: 'None' | 'Metadata' | 'Object') =>
      asTable({ printer: undefined }, [object({ spec: 1 })], { now: 0, includeObject }).rows;
    expect(rowsOf('None')).toMatchObject([{ object: null }]);
    expect(rowsOf('Object')).toMatchObject([{ object: { kind: 'LimitRange', spec: 1 } }]);
    expect(rowsOf('Metadata')).toMatchObject([
      { object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'a' } } },
    ]);
  });

  it('falls back to name and creation time', () => {
    const table = asTable({ printer: undefined }, [object()], { now: 0, listMeta: { resourceVersion: '7' } });
    expect(table).toMatchObject({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '7' },
      columnDefinitions: [
        { name: 'Name', type: 'string', format: 'name', priority: 0 },
        { name: 'Created At', type: 'date', format: '', priority: 0 },
      ],
      rows: [{ cells: ['a', '2030-01-01T00:00:00Z'] }],
    });
  });

  it('leaves the columns out when they have been sent before', () => {
    expect(asTable({ printer: undefined }, [], { now: 0, headers: false }).columnDefinitions).toBeNull();
  });

  it('survives objects that are nothing like what their kind promises', () => {
    for (const table of recorded) {
      const { apiVersion, kind } = table.rows.map((row) => row.object)[0] ?? object();
      for (const nonsense of [null, 1, 'x', [], [null], {}]) {
        const broken = { apiVersion, kind, metadata: {}, spec: nonsense, status: nonsense, subjects: nonsense };
        const printer = printerOfObject(broken);
        const cells = asTable({ printer }, [broken], { now: 0 }).rows as { cells: unknown[] }[];
        expect(cells[0]?.cells).toHaveLength(table.columns.length);
      }
    }
  });
});

describe('printerFor', () => {
  it('shows the age when a kind asks for no column', () => {
    const printer = printerFor(undefined);
    expect(printer.columns.map((column) => `${column.name}:${column.type}`)).toEqual(['Name:string', 'Age:date']);
    expect(printer.cells(object(), Date.parse('2030-01-01T00:05:30Z'))).toEqual(['a', '5m30s']);
  });

  it('shows nothing for a path that is none', () => {
    const printer = printerFor([{ name: 'Odd', type: 'string', jsonPath: '.spec[?(' }]);
    expect(printer.cells(object(), 0)).toEqual(['a', null]);
  });
});
