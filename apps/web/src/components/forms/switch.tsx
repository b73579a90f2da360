import type { ComponentProps } from 'react'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role' | 'onChange'> & {
  label: string
  checked: boolean
  onChange: (isOn: boolean) => void
}

/** A labeled switch, as wide as its row. */
export function Switch({ label, checked, onChange, ...input }: SwitchProps) {
  return (
    <label className="switch">
      <span>{label}</span>
      <input
        {...input}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
