import './notifications.css'
import { useQuery } from '@tanstack/react-query'
import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { useState } from 'react'
import { useSubmission } from '#components/forms/use-submission.ts'
import { type LateFocus, lateFocus } from '#components/late-focus.ts'
import { mainId } from '#components/screen.tsx'
import { StatusLine } from '#components/status-line.tsx'
import { pushSupport } from '#lib/notifications/browser-push.ts'
import { useServices } from '#lib/services/services.tsx'
import { notificationsOf } from './notifications.ts'
import { useTurnOn } from './use-turn-on.ts'
import { hasDeclined, saveDeclined } from './visits.ts'

/** Offers notifications in one line at the page's end, until the member has decided. */
export function NotifyLine({ member }: { member: Member }) {
  const services = useServices()
  const { deviceStore, memberSession, config } = services
  const [isOpen, setOpen] = useState(() => config.notifications && mayAsk(hasDeclined(deviceStore)))
  const [result, setResult] = useState<string | null>(null)
  const submission = useSubmission('notify')
  const { isBusy, message } = submission
  const turnOnHere = useTurnOn(member.id)
  const { data } = useQuery({
    ...notificationsOf(services, member.id),
    enabled: () => isOpen && memberSession.isLoggedIn(),
  })
  const publicKey = data?.browser === 'off' && data.planDelivers ? data.publicKey : null

  if (result === null && (!isOpen || (publicKey === null && !isBusy))) return null

  function finish(text: string, moveFocus: LateFocus) {
    setResult(text)
    moveFocus(document.getElementById(mainId), { preventScroll: true })
  }

  function turnOn(key: string) {
    const moveFocus = lateFocus()
    void submission.run(async () => {
      await turnOnHere(key)
      const { permission } = Notification
      if (permission === 'granted') finish('This browser is notified of new editions.', moveFocus)
      else if (permission === 'denied') finish('All right. You won’t be notified.', moveFocus)
      return 'done'
    })
  }

  function decline() {
    saveDeclined(deviceStore)
    setOpen(false)
    // The button is gone.
    document.getElementById(mainId)?.focus({ preventScroll: true })
  }

  return (
    <section className="notify-line" aria-label="Notifications">
      {result === null ? (
        <>
          <button
            type="button"
            aria-disabled={isBusy}
            onClick={() => (publicKey === null ? undefined : turnOn(publicKey))}
          >
            {isBusy ? messages.pleaseWait : 'Notify me of new editions'}
          </button>
          <button type="button" onClick={decline}>
            No, thanks
          </button>
        </>
      ) : null}
      {/* Also without a text: only what is there before is announced. */}
      <p role="status">{result}</p>
      {message === null ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </section>
  )
}

/** Returns whether the line may be shown, as far as this device knows. */
function mayAsk(isDeclined: boolean): boolean {
  return !isDeclined && pushSupport() === 'ready' && Notification.permission !== 'denied'
}
