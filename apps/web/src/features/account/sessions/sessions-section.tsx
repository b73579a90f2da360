import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MembershipClient } from '@tidings/client'
import { deviceName } from '@tidings/contracts/membership/device-name'
import { messages } from '@tidings/contracts/membership/messages'
import { useRef, useState } from 'react'
import { useSubmission } from '#components/forms/use-submission.ts'
import { lateFocus } from '#components/late-focus.ts'
import { StatusLine } from '#components/status-line.tsx'
import { errorCode, errorText } from '#lib/api/error-text.ts'
import { useServices } from '#lib/services/services.tsx'
import { feedKey } from '../feed.ts'
import { FoldedSection } from '../folded-section.tsx'
import { lastUse, type Session, sessionsKey, sessionsOf } from './sessions.ts'

const shownAtFirst = 4

/** Where the member is logged in, with a way to end each other session. */
export function SessionsSection() {
  const { memberSession } = useServices()
  const queryClient = useQueryClient()
  const { data: sessions, error, refetch } = useQuery(sessionsOf(memberSession))
  const submission = useSubmission('sessions')
  const summary = useRef<HTMLElement>(null)
  const [isWhole, setWhole] = useState(false)

  function end(act: (client: MembershipClient) => Promise<unknown>, isKept: (session: Session) => boolean) {
    const moveFocus = lateFocus()
    void submission.run(async () => {
      try {
        await act(await memberSession.getClient())
      } catch (failure) {
        // It has ended meanwhile, which is what the member wants.
        if (errorCode(failure) !== 'session-not-found') throw failure
      }
      void queryClient.invalidateQueries({ queryKey: feedKey })
      queryClient.setQueryData<Session[]>(sessionsKey, (before) => before?.filter(isKept))
      // The button is gone.
      moveFocus(summary.current)
      return { text: 'Logged out.' }
    })
  }

  if (sessions === undefined)
    return (
      <FoldedSection title="Where you’re logged in">
        {error === null ? (
          <p role="status">{messages.loading}</p>
        ) : (
          <>
            <p role="status">{errorText(error)}</p>
            <button type="button" className="link" onClick={() => void refetch()}>
              Try again
            </button>
          </>
        )}
      </FoldedSection>
    )

  const shown = isWhole ? sessions : sessions.slice(0, shownAtFirst)
  return (
    <FoldedSection title="Where you’re logged in" summaryRef={summary}>
      <ul className="account-rows">
        {shown.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isBusy={submission.isBusy}
            onEnd={() =>
              end(
                (client) => client.endSession({ sessionId: session.id }),
                ({ id }) => id !== session.id,
              )
            }
          />
        ))}
      </ul>
      <div className="section-actions">
        {shown.length < sessions.length ? (
          <button type="button" className="link" onClick={() => setWhole(true)}>
            Show all {sessions.length}
          </button>
        ) : null}
        {sessions.length > 1 ? (
          <button
            type="button"
            className="link"
            aria-disabled={submission.isBusy}
            onClick={() =>
              end(
                (client) => client.endOtherSessions(),
                ({ current }) => current,
              )
            }
          >
            Log out all other devices
          </button>
        ) : null}
      </div>
      {submission.message === null ? null : (
        <StatusLine
          id={submission.messageId}
          message={submission.message}
          onExpired={submission.expireMessage}
        />
      )}
    </FoldedSection>
  )
}

function SessionRow({ session, isBusy, onEnd }: { session: Session; isBusy: boolean; onEnd: () => void }) {
  const { clock } = useServices()
  return (
    <li>
      <div>
        <p>{deviceName(session.userAgent)}</p>
        <p className="account-detail">{lastUse(session, clock.now())}</p>
      </div>
      {session.current ? null : (
        <button
          type="button"
          className="link"
          aria-label={`Log out ${deviceName(session.userAgent)}`}
          aria-disabled={isBusy}
          onClick={onEnd}
        >
          Log out
        </button>
      )}
    </li>
  )
}
