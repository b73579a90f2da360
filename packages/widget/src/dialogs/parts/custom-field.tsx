/** @jsxImportSource preact */
import { normalizePhone } from '@tidings/contracts/membership/typed-text'

type Props = {
  name: string
  label: string
  value: string
  autofocus?: boolean
  isReadOnly?: boolean
  onChange: (value: string) => void
}

/** The browser's autofill names, by the keys that apps commonly use. */
const autocomplete: Record<string, string> = { name: 'name', phone: 'tel' }

/** The input of one of the app's custom fields. */
export function CustomField({ name, label, value, autofocus, isReadOnly = false, onChange }: Props) {
  const id = `ms-field-${name}`
  return (
    <div class="field">
      <div class="label">
        <label for={id}>{label}</label>
      </div>
      <div class="box">
        <input
          type="text"
          inputMode={name === 'phone' ? 'tel' : undefined}
          dir={name === 'phone' ? 'ltr' : undefined}
          id={id}
          name={name}
          value={value}
          readOnly={isReadOnly}
          autocomplete={autocomplete[name]}
          data-autofocus={autofocus}
          onBlur={() => name === 'phone' && onChange(normalizePhone(value))}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
    </div>
  )
}
