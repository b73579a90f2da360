import '#styles/account.css'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import { siteMessages } from '@tidings/contracts/site/site-messages'
import { useState } from 'react'
import { EmailAddress } from '#components/email-address.tsx'
import {
  emailCheck,
  nameCheck,
  newPasswordCheck,
  phoneCheck,
  required,
} from '#components/forms/field-checks.ts'
import { Form } from '#components/forms/form.tsx'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { Screen } from '#components/screen.tsx'
import { errorCode } from '#lib/api/error-text.ts'
import { rememberEmail } from '#lib/member/login-email.ts'
import { useMember } from '#lib/member/use-member.ts'
import { useIsLoggedIn } from '#lib/member/use-session.ts'
import { toStoredPhone } from '#lib/phone/phone-numbers.ts'
import { buyAtShownPrice } from '#lib/plans/changed-prices.ts'
import { articleOf, startCheckout } from '#lib/plans/checkout.ts'
import { paidConnection } from '#lib/plans/plan-kinds.ts'
import { plansOf } from '#lib/plans/plans.ts'
import { useServices } from '#lib/services/services.tsx'
import { errorsOfCredentials } from './field-errors.ts'
import { MonthlyPrice } from './monthly-price.tsx'
import { createAccount, pendingSignUp, savePendingDetails } from './sign-up.ts'
import { SignUpFields, type SignUpValues } from './sign-up-fields.tsx'
import { useCaptcha } from './use-captcha.ts'

const dashboard = '/account/dashboard'

/** Creates an account, saves the name and the phone number and opens the payment; continues where it stopped. */
export function SignUpScreen() {
  const { config, deviceStore, sessionStore, memberSession } = useServices()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { from } = useLocation().state
  const article = articleOf(from)
  const form = useSubmission('signup', {
    name: required('Enter your name.', nameCheck),
    email: required('Enter your email.', emailCheck),
    phone: required('Enter your phone number.', phoneCheck(config.phoneRegion)),
    password: newPasswordCheck,
  })
  const isLoggedIn = useIsLoggedIn()
  // The fields stay while the account is created.
  const [isCreating, setCreating] = useState(false)
  const [values, setValues] = useState<SignUpValues>(() => ({
    ...(pendingSignUp(sessionStore) ?? { name: '', email: '', phone: '' }),
    password: '',
  }))
  const hasAccount = isLoggedIn && !(isCreating && form.isBusy)
  const { data: member } = useMember({ refetchOnMount: 'always' })
  const captcha = useCaptcha(!isLoggedIn)
  if (hasAccount && member != null && paidConnection(member.planConnections) !== undefined)
    return <AlreadyMember back={article ?? '/home'} />

  async function create(isShown: () => boolean): Promise<Outcome> {
    const client = await memberSession.getClient()
    const [name, email] = [values.name.trim(), normalizeEmail(values.email)]
    const phone = await toStoredPhone(values.phone, config.phoneRegion)
    await captcha.withToken((captchaToken) =>
      createAccount(client, sessionStore, { ...values, name, email, phone, captchaToken }),
    )
    rememberEmail(deviceStore, email)
    return await pay(isShown)
  }

  async function pay(isShown: () => boolean): Promise<Outcome> {
    const client = await memberSession.getClient()
    await savePendingDetails(client, sessionStore)
    if (!isShown()) return 'done'
    try {
      const shown = queryClient.getQueryData(plansOf(memberSession).queryKey)
      const page = await buyAtShownPrice(queryClient, memberSession, () =>
        startCheckout(client, 'monthly', '/account/signup?checkout=canceled', { from, shown }),
      )
      return { page }
    } catch (error) {
      if (errorCode(error) !== 'already-have-plan') throw error
      if (isShown()) await navigate({ to: article ?? dashboard, replace: true })
      return 'done'
    }
  }

  function change(changed: Partial<SignUpValues>) {
    setValues((before) => ({ ...before, ...changed }))
  }

  function submit() {
    setCreating(!hasAccount)
    if (hasAccount) return void form.run(pay)
    const { name, email, phone, password } = values
    void form.submit({
      values: { name, email, phone, password },
      missing: siteMessages.inputAllValues,
      action: create,
      errorsOf: errorsOfCredentials,
    })
  }

  return (
    <Screen title="Sign up" className="entrance">
      <h1>Sign up</h1>
      {hasAccount ? <AccountReady email={member?.auth.email ?? ''} /> : <MonthlyPrice />}
      <Form submission={form} action={hasAccount ? 'Continue to payment' : 'Submit'} onSubmit={submit}>
        {hasAccount ? null : (
          <>
            <SignUpFields form={form} values={values} onChange={change} />
            <div className="captcha" ref={captcha.place} />
          </>
        )}
      </Form>
      <nav className="foot-links" aria-label="Elsewhere">
        {hasAccount ? <Link to={dashboard}>Account</Link> : null}
        <Link to={article ?? '/home'}>Go back</Link>
      </nav>
    </Screen>
  )
}

/** Says what a member whose account exists still has to do. */
function AccountReady({ email }: { email: string }) {
  const search: { checkout?: unknown } = useSearch({ strict: false })
  return (
    <>
      <p className="form-purpose" role="status">
        {search.checkout === 'canceled' ? 'You canceled the payment. Nothing was charged. ' : null}
        Your account <EmailAddress email={email} /> is ready. Only the payment is missing.
      </p>
      <MonthlyPrice />
    </>
  )
}

function AlreadyMember({ back }: { back: string }) {
  return (
    <Screen title="Sign up" className="entrance">
      <h1>Sign up</h1>
      <p className="form-purpose">You have a plan already.</p>
      <nav className="foot-links" aria-label="Elsewhere">
        <Link to={dashboard}>Account</Link>
        <Link to={back}>Go back</Link>
      </nav>
    </Screen>
  )
}
