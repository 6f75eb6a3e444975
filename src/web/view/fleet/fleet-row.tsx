import { Component, type JSX } from 'preact';
import { subjectId } from '../../../portrait/subject.ts';
import type { Summary } from '../../../portrait/summary.ts';
import { harmless } from '../../../portrait/text/harmless.ts';
import { pathOf } from '../../model/route.ts';
import { whatIsNew } from '../../model/what-is-new.ts';
import { familyName } from '../parts/family-name.ts';
import { PhaseBadge } from '../parts/phase-badge.tsx';
import { Ago } from '../parts/when.tsx';
import { tableRoles } from './table-roles.ts';

/** As much as a row can show; the rest is on the workload's page. */
const cut = (text: string): string => harmless(text.length > 400 ? `${text.slice(0, 400)}…` : text);

interface FleetRowProps {
  readonly summary: Summary;
}

/** A workload in one line. Drawn again only when it has changed, so that a thousand of them stay smooth. */
export class FleetRow extends Component<FleetRowProps> {
  override shouldComponentUpdate({ summary }: FleetRowProps): boolean {
    return summary !== this.props.summary;
  }

  override render(): JSX.Element {
    const { summary } = this.props;
    const { subject, phase, state, headline, serving, needsYou, since } = summary;
    return (
      <tr {...tableRoles.row}>
        <td {...tableRoles.cell} class="cell-status">
          <PhaseBadge phase={phase} still />
          {state !== undefined && <code class="state">{cut(state)}</code>}
        </td>
        <th {...tableRoles.name} scope="row" class="cell-name">
          <a class="name" href={pathOf({ at: 'workload', id: subjectId(subject) })}>
            {cut(subject.title ?? subject.name)}
          </a>
          <div class="quiet small" title={familyName(subject.family)}>
            {cut(subject.kind)}
          </div>
        </th>
        <td {...tableRoles.cell} class="cell-space">
          {cut(subject.namespace)}
        </td>
        <td {...tableRoles.cell} class="cell-serving">
          {cut(serving)}
        </td>
        <td {...tableRoles.cell} class="cell-since">
          <Ago at={since} />
        </td>
        <td {...tableRoles.cell} class="cell-headline">
          <div class="headline">{cut(headline)}</div>
          {needsYou !== undefined && <div class="needs">{cut(whatIsNew(headline, needsYou))}</div>}
        </td>
      </tr>
    );
  }
}
