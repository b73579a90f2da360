import '#styles/account.css'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { messages } from '@tidings/contracts/membership/messages'
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import { useState } from 'react'
import { EmailField } from '#components/forms/email-field.tsx'
import { emailCheck, knownPasswordCheck, required } from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { PasswordField } from '#components/forms/password-field.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { Screen } from '#components/screen.tsx'
import { ShownError } from '#lib/api/error-text.ts'
import { reportUnexpected } from '#lib/api/report-unexpected.ts'
import { rememberEmail, rememberedEmail } from '#lib/member/login-email.ts'
import { useEarlyClient, useIsLoggedIn } from '#lib/member/use-session.ts'
import { articleOf, startCheckout } from '#lib/plans/checkout.ts'
import { returnPath } from '#lib/requested-path.ts'
import { useServices } from '#lib/services/services.tsx'
import { errorsOfCredentials } from './field-errors.ts'
import { savePendingDetails } from './sign-up.ts'

const dashboard = '/account/dashboard'
const checks = { email: required('Enter your email.', emailCheck), password: knownPasswordCheck }

/** Logs a member in. One without a plan goes to the payment first; then it leads where it interrupted them. */
export function LoginScreen() {
  const { deviceStore, sessionStore, memberSession } = useServices()
  const { state } = useLocation()
  const navigate = useNavigate()
  const form = useSubmission('login', checks)
  const isLoggedIn = useIsLoggedIn()
  useEarlyClient()
  const [email, setEmail] = useState(state.email ?? rememberedEmail(deviceStore))
  const [password, setPassword] = useState('')
  const destination = returnPath(state.from, dashboard)

  async function logIn(isShown: () => boolean): Promise<Outcome> {
    const client = await memberSession.getClient()
    const { data, message } = await client.loginMemberEmailPassword({ email, password })
    if (message !== messages.loggedIn) throw new ShownError(message ?? messages.unexpected)
    rememberEmail(deviceStore, normalizeEmail(email))
    // Details that fail to save here stay for the next login.
    await savePendingDetails(client, sessionStore).catch(reportUnexpected)
    if (isShown() && data.member.planConnections.length === 0) {
      const cancelPath = state.from === undefined ? `${dashboard}?checkout=canceled` : destination
      const page = await startCheckout(client, 'monthly', cancelPath, { from: state.from }).catch(
        reportUnexpected,
      )
      if (page !== undefined) return { page }
    }
    if (isShown()) await navigate({ href: destination, replace: true })
    return 'done'
  }

  function submit() {
    void form.submit({
      values: { email, password },
      missing: siteMessages.inputAllValues,
      action: logIn,
      errorsOf: errorsOfCredentials,
    })
  }

  return (
    <Screen title="Log in" className="entrance">
      <h1>Log in</h1>
      <Introduction isLoggedIn={isLoggedIn && !form.isBusy} destination={destination} />
      <Form submission={form} action="Submit" onSubmit={submit}>
        <EmailField {...form.input('email', email, setEmail)} required autoComplete="username" />
        <PasswordField
          {...form.input('password', password, setPassword)}
          label="Password"
          required
          autoComplete="current-password"
          enterKeyHint="go"
        />
      </Form>
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to="/resetpassword" state={(before) => ({ ...before, email })}>
          Forgot password
        </Link>
        <Link to={articleOf(state.from) ?? '/home'}>Go back</Link>
      </nav>
    </Screen>
  )
}

/** Says why the login is shown, where the reader didn't ask for it. */
function Introduction({ isLoggedIn, destination }: { isLoggedIn: boolean; destination: string }) {
  const { state } = useLocation()
  const navigate = useNavigate()
  if (isLoggedIn)
    return (
      <p className="form-purpose" role="status">
        You’re logged in on this device.{' '}
        <button
          type="button"
          className="link"
          onClick={() => void navigate({ href: destination, replace: true })}
        >
          Continue
        </button>
      </p>
    )
  if (state.hasEnded === true)
    return (
      <p className="form-purpose" role="status">
        Your session has ended. Log in again to continue where you were.
      </p>
    )
  return state.from === undefined ? null : <p className="form-purpose">Log in to continue.</p>
}
