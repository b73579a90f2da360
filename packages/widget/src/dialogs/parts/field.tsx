/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useDialog } from '../state/dialog-context.ts'
import { EyeIcon } from './icons.tsx'
import type { FieldState } from './use-field.ts'

type Props = {
  name: string
  label: string
  field: FieldState
  autofocus?: boolean
  /** Beside the label, such as a link. */
  aside?: ComponentChildren
  /** Inside the input's box, such as a button. */
  inside?: ComponentChildren
  type?: 'text' | 'email' | 'password'
  attributes?: {
    autocomplete?: string
    inputMode?: 'email'
    placeholder?: string
    autocapitalize?: 'off'
    spellcheck?: boolean
    required?: boolean
    tabIndex?: number
  }
}

function inputProps(type: string, attributes: object = {}): object {
  return { ...attributes, type }
}

/** A labelled input with its error. */
export function Field({ name, label, field, type = 'text', autofocus, aside, inside, attributes }: Props) {
  const id = `ms-${name}`
  return (
    <div class="field">
      <div class="label">
        <label for={id}>{label}</label>
        {aside}
      </div>
      <div class="box">
        <input
          // Preact's types have one type of props for each type of input.
          {...inputProps(type, attributes)}
          id={id}
          name={name}
          ref={field.ref}
          value={field.value}
          aria-invalid={field.error !== undefined}
          aria-describedby={field.error === undefined ? undefined : `${id}-error`}
          data-autofocus={autofocus}
          onInput={({ currentTarget }) => field.set(currentTarget.value)}
          onBlur={field.onBlur}
        />
        {inside}
      </div>
      {field.error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {field.error}
        </p>
      )}
    </div>
  )
}

export function EmailField({ field, autofocus = true }: { field: FieldState; autofocus?: boolean }) {
  const { t } = useDialog()
  return (
    <Field
      name="email"
      label={t('email_address')}
      field={field}
      autofocus={autofocus}
      type="email"
      attributes={{
        autocomplete: 'email',
        inputMode: 'email',
        placeholder: t('email_placeholder'),
        autocapitalize: 'off',
        spellcheck: false,
        required: true,
      }}
    />
  )
}

const passwordLabels = {
  password: 'password',
  'current-password': 'current_password',
  'new-password': 'new_password',
  'confirm-password': 'confirm_password',
} as const

type PasswordProps = Pick<Props, 'field' | 'aside' | 'autofocus'> & {
  name: keyof typeof passwordLabels
  /** Whether the member chooses it here. */
  isNew?: boolean
}

/** A password, which can be shown. */
export function PasswordField({ name, isNew = false, ...props }: PasswordProps) {
  const { t } = useDialog()
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...props}
      name={name}
      label={t(passwordLabels[name])}
      type={isShown ? 'text' : 'password'}
      attributes={{
        autocomplete: isNew ? 'new-password' : 'current-password',
        autocapitalize: 'off',
        spellcheck: false,
        required: true,
      }}
      inside={
        <button
          type="button"
          class="icon"
          aria-label={t(isShown ? 'hide_password' : 'show_password')}
          onClick={() => setShown(!isShown)}
        >
          <EyeIcon isCrossed={isShown} />
        </button>
      }
    />
  )
}
