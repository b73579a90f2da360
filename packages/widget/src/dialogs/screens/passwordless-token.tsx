/** @jsxImportSource preact */
import { useState } from 'preact/hooks'
import { CodeBoxes } from '../parts/code-boxes.tsx'
import { emptyCode, isComplete } from '../parts/code-entry.ts'
import { Form } from '../parts/form.tsx'
import { Heading } from '../parts/heading.tsx'
import { useDialog } from '../state/dialog-context.ts'
import type { PasswordlessTokenState } from '../state/dialog-state.ts'
import { withContentGroups } from './content-groups.ts'

export function PasswordlessToken({ state }: { state: PasswordlessTokenState }) {
  const { t, calls, params, enter } = useDialog()
  const { email, flow, details } = state
  const [digits, setDigits] = useState(emptyCode)
  const [isErrorShown, setErrorShown] = useState(false)

  function verify() {
    const proof = { email, passwordlessToken: digits.join(''), ...withContentGroups }
    if (flow === 'login') return calls.loginMemberPasswordless?.(proof)
    const plans = params.signup?.plans?.map((planId) => ({ planId })) ?? []
    return calls.signupMemberPasswordless?.({ ...proof, ...details, plans })
  }

  function submit(): void {
    setErrorShown(true)
    if (!isComplete(digits)) return
    enter(flow === 'login' ? 'LOGIN' : 'SIGNUP', verify)
  }

  return (
    <>
      <Heading text={t(flow === 'login' ? 'login_to_your_account' : 'create_an_account')} hasBack />
      <p class="hint">{t('code_sent', { email })}</p>
      <Form submit={t('verify_email')} onSubmit={submit}>
        <CodeBoxes digits={digits} onChange={setDigits} isErrorShown={isErrorShown} />
      </Form>
    </>
  )
}
