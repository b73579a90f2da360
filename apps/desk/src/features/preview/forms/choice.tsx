type Props<Value extends string> = {
  label: string
  options: readonly { value: Value; text: string }[]
  value: Value
  onChoose: (value: Value) => void
}

/** Words of which one is chosen. */
export function Choice<Value extends string>({ label, options, value, onChoose }: Props<Value>) {
  return (
    <fieldset aria-label={label} className="preview-choice">
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  )
}
