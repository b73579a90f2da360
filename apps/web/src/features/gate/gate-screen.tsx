import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useReducer, useRef } from 'react'
import { PasswordField } from '#components/forms/password-field.tsx'
import { Screen } from '#components/screen.tsx'
import { StatusLine } from '#components/status-line.tsx'
import { useServices } from '#lib/services/services.tsx'
import { emptyGateForm, gateFormReducer } from './gate-form.ts'
import { gateStatus, passGate } from './gate-status.ts'

const messageId = 'gate-message'

/** Asks for the site's shared password. The reply goes into the cache, which makes the router redirect. */
export function GateScreen() {
  const { config } = useServices()
  const queryClient = useQueryClient()
  const [form, dispatch] = useReducer(gateFormReducer, emptyGateForm)
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (form.isSubmitting) return
    dispatch({ type: 'submitted' })
    if (form.password === '') return field.current?.focus()
    try {
      const status = await passGate(form.password)
      dispatch({ type: 'passed' })
      queryClient.setQueryData(gateStatus.queryKey, status)
    } catch (error) {
      dispatch({ type: 'failed', error })
      field.current?.focus()
    }
  }

  return (
    <Screen title={config.siteName} className="entrance">
      <h1>{config.siteName}</h1>
      <p className="tagline">The news, three times a day, and then your day.</p>
      <form className="form" onSubmit={(event) => void submit(event)} noValidate>
        <PasswordField
          id="gate-password"
          label="Password"
          ref={field}
          name="password"
          autoComplete="current-password"
          enterKeyHint="go"
          value={form.password}
          onChange={(event) => dispatch({ type: 'typed', password: event.target.value })}
          error={form.error}
        />
        <button type="submit" className="button" aria-disabled={form.isSubmitting}>
          Enter
        </button>
        <StatusLine
          id={messageId}
          message={form.message}
          onExpired={() => dispatch({ type: 'messageExpired' })}
        />
      </form>
    </Screen>
  )
}
