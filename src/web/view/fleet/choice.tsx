import type { JSX } from 'preact';

export interface ChoiceProps {
  readonly name: string;
  readonly all: string;
  readonly of: readonly string[];
  readonly chosen: string | undefined;
  readonly label: (one: string) => string;
  readonly onChoose: (one: string | undefined) => void;
}

/** One of several, or all. What was chosen stays to be seen, even when there is none of it any more. */
export function Choice({ name, all, of, chosen, label, onChoose }: ChoiceProps): JSX.Element {
  const options = chosen === undefined || of.includes(chosen) ? of : [...of, chosen];
  return (
    <select
      aria-label={name}
      value={chosen ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    >
      <option value="">{all}</option>
      {options.map((one) => (
        <option key={one} value={one} selected={one === chosen}>
          {label(one)}
        </option>
      ))}
    </select>
  );
}
