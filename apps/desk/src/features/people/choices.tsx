import { toggled } from './roles.ts'

type Props<T extends string> = {
  legend: string
  options: readonly T[]
  names: Record<T, string>
  value: readonly T[]
  onChange: (value: T[]) => void
}

/** Several choices of a short list. */
export function Choices<T extends string>({ legend, options, names, value, onChange }: Props<T>) {
  return (
    <fieldset className="people-choices">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="checkbox"
            checked={value.includes(option)}
            onChange={() => onChange(toggled(value, option))}
          />
          {names[option]}
        </label>
      ))}
    </fieldset>
  )
}
