import { Link, useNavigate } from '@tanstack/react-router'
import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/membership/messages'
import { type FormEvent, useReducer, useRef } from 'react'
import { TextField } from '#components/forms/text-field.tsx'
import { Screen } from '#components/screen.tsx'
import { StatusLine } from '#components/status-line.tsx'
import { useToasts } from '#components/toaster.tsx'
import { useServices } from '#lib/services/services.tsx'
import { contactProblem, emptyEntryBox, entryBoxReducer, submitContact } from './entry-box.ts'

const messageId = 'entry-box-message'

/** The landing: an entry box for a phone number or an email address, and links to the account screens. */
export function LandingScreen() {
  const { config } = useServices()
  const [box, dispatch] = useReducer(entryBoxReducer, emptyEntryBox)
  const navigate = useNavigate()
  const toasts = useToasts()
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (box.isSubmitting) return
    if (contactProblem(box.contact) !== null) {
      dispatch({ type: 'refused' })
      return field.current?.focus()
    }
    dispatch({ type: 'submitted' })
    try {
      await submitContact(box.contact)
      toasts.show('success', 'Thanks. We’ve noted it.')
      await navigate({ to: '/home' })
    } catch (error) {
      dispatch({ type: 'failed', error })
      field.current?.focus()
    }
  }

  return (
    <Screen title="Welcome" className="entrance">
      <h1>{config.siteName}</h1>
      <p className="tagline">The news, three times a day, and then your day.</p>
      <p className="form-purpose">
        Leave a phone number or email, and we may write to you about membership. Nothing else.
      </p>
      <form className="form" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          id="entry-box"
          label={messages.entryBox}
          ref={field}
          name="contact"
          type="text"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={limits.entryBoxCharacters}
          value={box.contact}
          onChange={(event) => dispatch({ type: 'typed', contact: event.target.value })}
          error={box.error}
        />
        <button type="submit" className="button" aria-disabled={box.isSubmitting}>
          Submit
        </button>
        <StatusLine
          id={messageId}
          message={box.message}
          onExpired={() => dispatch({ type: 'messageExpired' })}
        />
      </form>
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/account/signup">Sign up</Link>
        <Link to="/account/login">Log in</Link>
        <Link to="/account/dashboard">Account</Link>
        <Link to="/home">View memos</Link>
      </nav>
    </Screen>
  )
}
