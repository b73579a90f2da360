import { Link, useNavigate } from '@tanstack/react-router'
import { limits } from '@tidings/contracts/limits'
import { messages } from '@tidings/contracts/messages'
import { type FormEvent, useReducer, useRef } from 'react'
import { Screen } from '../../components/screen.tsx'
import { StatusLine } from '../../components/status-line.tsx'
import { TextField } from '../../components/text-field.tsx'
import { useSurroundings } from '../../lib/surroundings.tsx'
import { emptyEntryBox, entryBoxReducer, leaveContact } from './entry-box.ts'

const lineId = 'entry-box-line'

/** The landing: a box for a phone number or an e-mail address, and the ways into an account. */
export function LandingScreen() {
  const { config } = useSurroundings()
  const [box, dispatch] = useReducer(entryBoxReducer, emptyEntryBox)
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (box.isSending) return
    dispatch({ type: 'submitted' })
    if (box.contact.trim() === '') return field.current?.focus()
    try {
      await leaveContact(box.contact)
      await navigate({ to: '/home' })
    } catch (error) {
      dispatch({ type: 'refused', error })
      field.current?.focus()
    }
  }

  return (
    <Screen title="Welcome" className="entrance">
      <h1>{config.siteName}</h1>
      <p className="tagline">The news, three times a day, and then your day.</p>
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
          errorId={box.line?.isError === true ? lineId : null}
        />
        <button type="submit" className="button" aria-disabled={box.isSending}>
          Submit
        </button>
        <StatusLine id={lineId} line={box.line} onExpired={() => dispatch({ type: 'lineExpired' })} />
      </form>
      <nav className="foot-links" aria-label="Account">
        <Link to="/account/signup">Sign up</Link>
        <Link to="/account/login">Log in</Link>
        <Link to="/account/dashboard">Account</Link>
      </nav>
    </Screen>
  )
}
