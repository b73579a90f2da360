import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import { useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { counted } from '#lib/counted.ts'
import { useDeskConfig, useZones } from '#lib/desk-context.ts'
import { useSecond } from '#lib/time/use-second.ts'
import { clockText } from '#lib/time/zoned-time.ts'
import { countsByMethod, methodName } from './delivery-counts.ts'
import { progressQuery, stopDelivery } from './delivery-queries.ts'
import { secondsUntil } from './delivery-words.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'

type Props = { report: DeliveryReport; editionKey: string; slot: string; canPublish: boolean }

/** On a phone, the whole screen counts down to a delivery: Stop is under the thumb. */
export function PhoneCountdown({ report, editionKey, slot, canPublish }: Props) {
  const { deliveryDelaySeconds } = useDeskConfig()
  const { site } = useZones()
  const now = useSecond()
  const queryClient = useQueryClient()
  const [isWithdrawing, setIsWithdrawing] = useState(false)
  const { data: progress = [] } = useQuery(progressQuery)
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['delivery'] })
  const stop = useMutation({ mutationFn: () => stopDelivery(editionKey), onSettled })
  const seconds = secondsUntil(report.sendAfter, now)
  const isLong = seconds > 99
  const members = progress.find(({ edition }) => edition === editionKey)?.members ?? null
  const unit = isLong ? 'minutes' : 'seconds'
  const since =
    report.sendAfter === null ? null : new Date(report.sendAfter).getTime() - deliveryDelaySeconds * 1_000
  const passed = Math.min(100, Math.max(0, 100 - (seconds / Math.max(1, deliveryDelaySeconds)) * 100))
  return (
    <section className="phone-countdown" aria-label={`Countdown of ${slot}`}>
      <p className="meta">
        <span className="mark mark-published" aria-hidden="true" /> Public
        {since !== null && !isLong && ` since ${clockText(new Date(since), site)}`}
      </p>
      <h1>
        <span>{isLong ? Math.ceil(seconds / 60) : seconds}</span>{' '}
        <i>{`${unit} until it goes to ${members === null ? 'members' : counted(members, 'member')}`}</i>
      </h1>
      <svg className="phone-countdown-line" aria-hidden="true">
        <rect width="100%" height="100%" />
        <rect width={`${passed}%`} height="100%" />
      </svg>
      {canPublish && (
        <>
          <button
            type="button"
            className="delivery-stop"
            disabled={stop.isPending}
            onClick={() => stop.mutate()}
          >
            Stop. Send nothing yet
          </button>
          <button type="button" onClick={() => setIsWithdrawing(true)}>
            Withdraw the edition…
          </button>
        </>
      )}
      <Failure text={stop.error?.message ?? null} canClose />
      <p className="meta">After Stop it stays on the site, and nothing is sent until you resume.</p>
      <dl>
        {countsByMethod(report.counts).map(({ method, all }) => (
          <div key={method}>
            <dt>{methodName(method)}</dt>
            <dd>{all.toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      {isWithdrawing && (
        <WithdrawDialog editionKey={editionKey} slot={slot} onDone={() => setIsWithdrawing(false)} />
      )}
    </section>
  )
}
