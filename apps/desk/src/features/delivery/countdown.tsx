import './countdown.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { useDeskConfig, useYou } from '#lib/desk-context.ts'
import { useSecond } from '#lib/time/use-second.ts'
import { announcementOf, type Countdown, countdownsOf, countdownText } from './countdown-text.ts'
import { progressQuery, resumeDelivery, stopDelivery } from './delivery-queries.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'

/** Says on every screen that an edition is public and will be sent, and lets editors stop it. */
export function Countdowns() {
  const { data: progress = [] } = useQuery(progressQuery)
  const now = useSecond()
  const [closed, setClosed] = useState<readonly string[]>([])
  const countdowns = countdownsOf(progress, now)
  // A stop that is closed comes back only with another countdown.
  const shown = countdowns.filter(({ key, isStopped }) => !(isStopped && closed.includes(key)))
  return shown.map((countdown) => (
    <CountdownStrip
      key={countdown.key}
      countdown={countdown}
      onClose={() => setClosed([...closed, countdown.key])}
    />
  ))
}

function CountdownStrip({ countdown, onClose }: { countdown: Countdown; onClose: () => void }) {
  const { key, slot, day, isStopped, seconds } = countdown
  const { deliveryDelaySeconds } = useDeskConfig()
  const { roles } = useYou()
  const queryClient = useQueryClient()
  const [isWithdrawing, setIsWithdrawing] = useState(false)
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['delivery'] })
  const stop = useMutation({ mutationFn: () => stopDelivery(key), onSettled })
  const resume = useMutation({ mutationFn: () => resumeDelivery(key), onSettled })
  const canPublish = roles.some((role) => role === 'editor' || role === 'owner')
  const passed = Math.min(100, Math.max(0, 100 - (seconds / Math.max(1, deliveryDelaySeconds)) * 100))
  return (
    <section className="countdown" aria-label={`Delivery of ${slot}, ${day}`}>
      <p className="countdown-text">{countdownText(countdown)}</p>
      {!isStopped && canPublish && (
        <p className="countdown-note">Corrections until then reach every member.</p>
      )}
      <p className="delivery-heard" role="status">
        {announcementOf(countdown)}
      </p>
      {canPublish && (
        <div className="countdown-actions">
          {isStopped ? (
            <>
              <button type="button" data-sends disabled={resume.isPending} onClick={() => resume.mutate()}>
                Send now
              </button>
              <button type="button" className="words" onClick={() => setIsWithdrawing(true)}>
                Withdraw…
              </button>
              <button type="button" className="words" onClick={onClose}>
                Close
              </button>
            </>
          ) : (
            <button
              type="button"
              className="delivery-stop"
              disabled={stop.isPending}
              onClick={() => stop.mutate()}
            >
              Stop. Send nothing yet
            </button>
          )}
        </div>
      )}
      <Failure text={(stop.error ?? resume.error)?.message ?? null} canClose />
      {!isStopped && (
        <svg className="countdown-line" aria-hidden="true">
          <rect width={`${passed}%`} height="100%" />
        </svg>
      )}
      {isWithdrawing && (
        <WithdrawDialog editionKey={key} slot={slot} onDone={() => setIsWithdrawing(false)} />
      )}
    </section>
  )
}
