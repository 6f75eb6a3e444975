import type { JSX } from 'preact';
import type { FieldChange } from '../../../portrait/plan.ts';
import { Words } from './words.tsx';

/** Which fields differ, from what to what, and what each demands. */
export function FieldChanges({ changes }: { readonly changes: readonly FieldChange[] }): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <div class="scroll-x">
      <table class="changes">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Change</th>
            <th scope="col">Demands</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, from, to, demands }) => (
            <tr key={path}>
              <td>
                <Words text={path} limit={120} />
              </td>
              <td>
                {from !== undefined && (
                  <del>
                    <Words text={from} limit={160} />
                  </del>
                )}
                {from !== undefined && to !== undefined && ' → '}
                {to === undefined ? (
                  <span class="quiet"> removed</span>
                ) : (
                  <ins>
                    <Words text={to} limit={160} />
                  </ins>
                )}
              </td>
              <td>
                <span class="tag">
                  <Words text={demands} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
