import { counted } from '#lib/counted.ts'
import './delivery.css'
import './delivery-aside.css'
import './phone-countdown.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { DeliveryReport } from '@tidings/contracts/delivery/deliveries'
import * as routes from '@tidings/contracts/desk/routes'
import { type CalendarDate, formatWireDate } from '@tidings/contracts/edition-key'
import { fillPath } from '@tidings/contracts/endpoint'
import { Failure } from '#components/failure.tsx'
import { useIsPhone } from '#lib/browser/use-is-phone.ts'
import { useYou, useZones } from '#lib/desk-context.ts'
import { useSecond } from '#lib/time/use-second.ts'
import { clockText, dayText } from '#lib/time/zoned-time.ts'
import { CountsTable } from './counts-table.tsx'
import { countsByMethod, totalsOf } from './delivery-counts.ts'
import { deliveryReport, resumeDelivery, stopDelivery } from './delivery-queries.ts'
import { deliveryHeadline, reasonsOf, secondsUntil, speedText } from './delivery-words.ts'
import { FindMember } from './find-member.tsx'
import { PhoneCountdown } from './phone-countdown.tsx'
import { Unconfirmed } from './unconfirmed.tsx'
import { WhatHappened } from './what-happened.tsx'
import { WhyList } from './why-list.tsx'

type Props = { editionKey: string; day: CalendarDate; slot: string }

/** Follows the delivery of an edition while it is sent, and afterwards. */
export function DeliveryScreen({ editionKey, day, slot }: Props) {
  const { roles } = useYou()
  const { data: report, error, refetch } = useQuery(deliveryReport(editionKey))
  const canPublish = roles.some((role) => role === 'editor' || role === 'owner')
  return (
    <div className="page delivery">
      <p className="delivery-edition">
        <Link to="/editions/$key" params={{ key: editionKey }}>
          <b>{slot}</b>
        </Link>{' '}
        ·{' '}
        <Link to="/days/$day" params={{ day: formatWireDate(day) }}>
          {dayText(day)}
        </Link>
      </p>
      {report === undefined ? (
        <>
          <h1>Delivery</h1>
          {error === null && (
            <p role="status" className="loading">
              Loading the delivery…
            </p>
          )}
        </>
      ) : (
        <Report report={report} editionKey={editionKey} slot={slot} canPublish={canPublish} />
      )}
      {error !== null && (
        <div className="failed-read">
          <Failure text={error.message} />
          <button type="button" onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      )}
    </div>
  )
}

type ReportProps = { report: DeliveryReport; editionKey: string; slot: string; canPublish: boolean }

function Report(props: ReportProps) {
  const isPhone = useIsPhone()
  const now = useSecond()
  const isCounting = props.report.state === 'planned' && secondsUntil(props.report.sendAfter, now) > 0
  return isPhone && isCounting ? <PhoneCountdown {...props} /> : <Counts {...props} />
}

function Counts({ report, editionKey, canPublish }: ReportProps) {
  const now = useSecond()
  const rows = countsByMethod(report.counts)
  const totals = totalsOf(rows)
  const reasons = reasonsOf(report.counts)
  const csv = fillPath(routes.getDeliveryReport.path, {
    params: { key: editionKey },
    query: { format: 'csv' },
  })
  return (
    <>
      <header className="delivery-head">
        <h1>{deliveryHeadline(report, now)}</h1>
        <p className="delivery-facts">{useFacts(report, now)}</p>
        {rows.length > 0 && (
          <a href={csv} download={`${editionKey}-delivery.csv`}>
            CSV
          </a>
        )}
        {canPublish && <RunActions report={report} editionKey={editionKey} waiting={totals.waiting} />}
      </header>
      <div className="delivery-columns">
        <div>
          {rows.length === 0 ? (
            <p className="delivery-none">
              {report.state === 'none' ? 'Nothing of this edition is sent.' : 'Nobody gets this edition.'}
            </p>
          ) : (
            <CountsTable rows={rows} totals={totals} />
          )}
          {report.heldReason !== null && <p className="delivery-none">{report.heldReason}</p>}
          {totals.unconfirmed > 0 && (
            <Unconfirmed editionKey={editionKey} count={totals.unconfirmed} canPublish={canPublish} />
          )}
          {(reasons.length > 0 || report.waiting.length > 0) && (
            <WhyList editionKey={editionKey} reasons={reasons} waiting={report.waiting} />
          )}
          {totals.sent > 0 && <p className="meta">Sent means accepted by the server of the member.</p>}
        </div>
        <div className="delivery-aside">
          {canPublish && <FindMember editionKey={editionKey} />}
          <WhatHappened editionKey={editionKey} />
        </div>
      </div>
    </>
  )
}

function useFacts({ state, startedAt, finishedAt, counts }: DeliveryReport, now: Date): string {
  const { site } = useZones()
  if (startedAt === null) return ''
  const since = new Date(startedAt)
  if (finishedAt !== null) {
    return `From ${clockText(since, site)} to ${clockText(new Date(finishedAt), site)}`
  }
  const facts = [`Since ${clockText(since, site)}`]
  const speed = state === 'sending' ? speedText(totalsOf(countsByMethod(counts)), since, now) : ''
  return [...facts, ...(speed === '' ? [] : [speed])].join(' · ')
}

type RunProps = { report: DeliveryReport; editionKey: string; waiting: number }

function RunActions({ report: { state }, editionKey, waiting }: RunProps) {
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['delivery'] })
  const stop = useMutation({ mutationFn: () => stopDelivery(editionKey), onSettled })
  const resume = useMutation({ mutationFn: () => resumeDelivery(editionKey), onSettled })
  return (
    <>
      {(state === 'planned' || state === 'sending') && (
        <button
          type="button"
          className="delivery-stop"
          disabled={stop.isPending}
          onClick={() => stop.mutate()}
        >
          Stop delivery
        </button>
      )}
      {(state === 'stopped' || state === 'held') && (
        <>
          <span className="delivery-facts">{counted(waiting, 'waits', 'wait')}. Nobody gets it twice.</span>
          <button
            type="button"
            className="filled"
            data-sends
            disabled={resume.isPending}
            onClick={() => resume.mutate()}
          >
            Resume
          </button>
        </>
      )}
      <Failure text={(stop.error ?? resume.error)?.message ?? null} canClose />
    </>
  )
}
