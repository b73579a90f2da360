import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { errorText } from '../lib/api/error-text.ts'
import { useServices } from '../lib/services.tsx'
import { useToasts } from './toaster.tsx'

type LogOutButtonProps = {
  /** Resolves to whether the member leaves, on a screen with something to lose. */
  ask?: () => Promise<boolean>
}

/** Ends the session on this device and says so. */
export function LogOutButton({ ask }: LogOutButtonProps) {
  const { memberSession } = useServices()
  const toasts = useToasts()
  const [isBusy, setBusy] = useState(false)

  async function logOut() {
    if (isBusy || (ask !== undefined && !(await ask()))) return
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
