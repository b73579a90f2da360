import './notifications.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Member } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { useRef } from 'react'
import { type Outcome, useSubmission } from '#components/forms/use-submission.ts'
import { lateFocus } from '#components/late-focus.ts'
import { StatusLine } from '#components/status-line.tsx'
import { errorText } from '#lib/api/error-text.ts'
import { turnOff } from '#lib/notifications/notified-browser.ts'
import { useServices } from '#lib/services/services.tsx'
import { AccountSection } from '../account-section.tsx'
import { deliveriesKey } from '../deliveries/member-deliveries.ts'
import { BrowserNote } from './browser-note.tsx'
import { DeviceList } from './device-list.tsx'
import { notificationsOf } from './notifications.ts'
import { useTurnOn } from './use-turn-on.ts'

const title = 'Notifications'

/** Which browsers are notified of new editions, with a way to turn this one on or off. */
export function NotificationsSection({ member }: { member: Member }) {
  const services = useServices()
  const { memberSession, deviceStore, config } = services
  const queryClient = useQueryClient()
  const query = notificationsOf(services, member.id)
  const { data, error, refetch } = useQuery(query)
  const submission = useSubmission('notifications')
  const { isBusy, message } = submission
  const heading = useRef<HTMLHeadingElement>(null)
  const turnOnHere = useTurnOn(member.id)

  if (!config.notifications) return null
  if (data === undefined) {
    return (
      <AccountSection title={title}>
        <p role="status">{error === null ? messages.loading : errorText(error)}</p>
        {error === null ? null : (
          <button type="button" className="link" onClick={() => void refetch()}>
            Try again
          </button>
        )}
      </AccountSection>
    )
  }
  const { publicKey, planDelivers, devices, browser, deviceId } = data
  if (publicKey === null) return null

  /** Runs an action whose button is gone afterwards. */
  function run(act: () => Promise<Outcome>) {
    const moveFocus = lateFocus()
    void submission.run(async () => {
      const outcome = await act()
      moveFocus(heading.current)
      return outcome
    })
  }

  function remove(id: string) {
    run(async () => {
      const client = await memberSession.getClient()
      if (id === deviceId) await turnOff({ client, deviceStore })
      else await client.removePushDevice({ id }).catch(ignoreMissing)
      void queryClient.invalidateQueries({ queryKey: deliveriesKey })
      await queryClient.invalidateQueries({ queryKey: query.queryKey })
      return { text: id === deviceId ? 'Notifications are off in this browser.' : 'Removed.' }
    })
  }

  return (
    <AccountSection title={title} headingRef={heading}>
      {planDelivers ? (
        <BrowserNote browser={browser} />
      ) : (
        <p>Members with a plan can be notified of new editions.</p>
      )}
      <DeviceList devices={devices} thisId={deviceId} isBusy={isBusy} onRemove={remove} />
      {browser === 'off' && planDelivers ? (
        <div className="section-actions">
          <button
            type="button"
            className="link"
            aria-disabled={isBusy}
            onClick={() => run(() => turnOnHere(publicKey))}
          >
            {isBusy ? messages.pleaseWait : 'Notify me of new editions'}
          </button>
        </div>
      ) : null}
      {message === null || isBusy ? null : (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      )}
    </AccountSection>
  )
}

/** Someone has removed it meanwhile, which is what the member wants. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'status' in error && error.status === 404)) throw error
}
