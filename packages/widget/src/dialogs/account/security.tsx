/** @jsxImportSource preact */

import { normalizeEmail } from '@tidings/contracts/membership/typed-text'
import type { Member } from '../membership-calls.ts'
import { emailError } from '../parts/checks.ts'
import { EmailField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { areValid, useField } from '../parts/use-field.ts'
import { useDialog } from '../state/dialog-context.ts'

export function Security({ member }: { member: Member }) {
  const { t, calls, run, dispatch, showMessage, setMember } = useDialog()
  const email = useField(emailError(t), member.auth.email)
  const { hasPassword } = member.auth
  const canChange = hasPassword ? calls.updateMemberAuth : calls.setPassword

  function save(): void {
    if (!areValid(email)) return
    void run(
      () => calls.updateMemberAuth?.({ email: normalizeEmail(email.value) }),
      ({ data, message }) => {
        setMember(data)
        dispatch({ type: 'saved' })
        showMessage(message)
      },
    )
  }

  return (
    <>
      {calls.updateMemberAuth && (
        <Form submit={t('save')} isReady={normalizeEmail(email.value) !== member.auth.email} onSubmit={save}>
          <EmailField field={email} autofocus={false} />
        </Form>
      )}
      {canChange && (
        <>
          <h3>{t('password')}</h3>
          <button
            type="button"
            class="secondary"
            onClick={() => dispatch({ type: 'sectionChosen', section: 'changePassword' })}
          >
            {t(hasPassword ? 'change_password' : 'set_password')}
          </button>
        </>
      )}
      <ConnectedAccounts member={member} />
    </>
  )
}

/** The identity providers of the app, with a button that connects or disconnects each. */
export function ConnectedAccounts({ member }: { member: Member }) {
  const { t, app, calls, run, dispatch, showMessage, setMember } = useDialog()
  const connected = member.auth.providers
  const isConnected = (provider: string) => connected.some((one) => one.provider === provider)
  const providers = app.authProviders
    .filter(({ provider }) => (isConnected(provider) ? calls.disconnectProvider : calls.connectProvider))
    .toSorted((a, b) => a.order - b.order)
  if (providers.length === 0) return null

  function toggle(provider: string): void {
    const call = isConnected(provider) ? calls.disconnectProvider : calls.connectProvider
    void run<{ providers: { provider: string }[]; message?: string }>(
      () => call?.({ provider }),
      ({ data, message = data.message }) => {
        setMember({ ...member, auth: { ...member.auth, providers: data.providers } })
        dispatch({ type: 'saved' })
        showMessage(message)
      },
    )
  }

  return (
    <>
      <h3>{t('connected_accounts')}</h3>
      <ul class="rows">
        {providers.map(({ provider, name, icon }) => (
          <li key={provider}>
            {icon && <img src={icon} alt="" width="20" height="20" />}
            <span>{name}</span>
            <button
              type="button"
              class="small"
              aria-label={t(isConnected(provider) ? 'disconnect_provider' : 'connect_provider', {
                provider: name,
              })}
              onClick={() => toggle(provider)}
            >
              {t(isConnected(provider) ? 'disconnect' : 'connect')}
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
