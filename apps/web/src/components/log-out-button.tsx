import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { errorText } from '../lib/api/error-text.ts'
import { useServices } from '../lib/services/services.tsx'
import { useToasts } from './toaster.tsx'

/** Ends the session on this device and says so. */
export function LogOutButton() {
  const { memberSession, leaveGuard } = useServices()
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)

  async function logOut() {
    if (isBusy || !(await leaveGuard.ask())) return
    setBusy(true)
    try {
      const client = await memberSession.getClient()
      const { message } = await client.logout()
      if (message !== undefined) toasts.show('success', message)
    } catch (error) {
      toasts.show('error', errorText(error))
      setBusy(false)
    }
  }

  return (
    <button type="button" aria-disabled={isBusy} onClick={() => void logOut()}>
      {isBusy ? messages.pleaseWait : 'Log out'}
    </button>
  )
}
