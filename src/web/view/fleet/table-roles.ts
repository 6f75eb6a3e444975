/**
 * What the parts of a table are, said once more: rows are laid out as grids, so that those out of sight cost nothing and a phone shows
 * cards, and browsers forget what a table row is when it looks like something else.
 */
export const tableRoles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  column: { role: 'columnheader' },
  name: { role: 'rowheader' },
  cell: { role: 'cell' },
} as const;
