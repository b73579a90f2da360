import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useReducer, useRef } from 'react'
import { PasswordField } from '../../components/password-field.tsx'
import { Screen } from '../../components/screen.tsx'
import { StatusLine } from '../../components/status-line.tsx'
import { useSurroundings } from '../../lib/surroundings.tsx'
import { emptyGateForm, gateFormReducer } from './gate-form.ts'
import { gateStatus, passGate } from './gate-status.ts'

const lineId = 'gate-line'

/** Asks for the site's shared password. The answer goes into the cache, and the router leads on from there. */
export function GateScreen() {
  const { config } = useSurroundings()
  const queryClient = useQueryClient()
  const [form, dispatch] = useReducer(gateFormReducer, emptyGateForm)
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (form.isTrying) return
    dispatch({ type: 'submitted' })
    if (form.password === '') return field.current?.focus()
    try {
      const status = await passGate(form.password)
      dispatch({ type: 'opened' })
      queryClient.setQueryData(gateStatus.queryKey, status)
    } catch (error) {
      dispatch({ type: 'refused', error })
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
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={1024}
          value={form.password}
          onChange={(event) => dispatch({ type: 'typed', password: event.target.value })}
          errorId={form.line?.isError === true ? lineId : null}
        />
        <button type="submit" className="button" aria-disabled={form.isTrying}>
          Enter
        </button>
        <StatusLine id={lineId} line={form.line} onExpired={() => dispatch({ type: 'lineExpired' })} />
      </form>
    </Screen>
  )
}
