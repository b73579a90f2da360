import { Link, useRouter, useSearch } from '@tanstack/react-router'
import type { Member, PlanConnection } from '@tidings/contracts/membership/members'
import { messages } from '@tidings/contracts/membership/messages'
import { type ReactNode, useEffect, useState } from 'react'
import { useSubmission } from '#components/forms/use-submission.ts'
import { StatusLine } from '#components/status-line.tsx'
import { useMember } from '#lib/member/use-member.ts'
import { startCheckout } from '#lib/plans/checkout.ts'
import { paidConnection } from '#lib/plans/plan-kinds.ts'
import { useServices } from '#lib/services/services.tsx'

const dashboard = '/account/dashboard'

type Search = { checkout?: unknown; billing?: unknown }

/** Returns the plan that a payment has just brought, also once the address no longer mentions it; undefined before. */
export function usePaidPlan(): PlanConnection | undefined {
  const { checkout }: Search = useSearch({ strict: false })
  const { data: member } = useMember()
  const [hasPaid, setPaid] = useState(checkout === 'done')
  if (checkout === 'done' && !hasPaid) setPaid(true)
  const plan = paidConnection(member?.planConnections ?? [])
  useCleanAddress(checkout === 'done' && plan !== undefined)
  return hasPaid ? plan : undefined
}

/** Removes from the address what Stripe's return put there, once it is over. */
function useCleanAddress(isOver: boolean): void {
  const router = useRouter()
  useEffect(() => {
    // The member may be on the way to another screen, which is still loading.
    if (!isOver || router.latestLocation.pathname !== dashboard) return
    void router.navigate({ to: dashboard, search: {}, replace: true, resetScroll: false })
  }, [isOver, router])
}

type CheckoutReturnProps = { member: Member; children: ReactNode }

/**
 * Where Stripe returns: waits for the plan after a payment, and offers a canceled one again. The screen that the plan
 * would replace comes only after the wait.
 */
export function CheckoutReturn({ member, children }: CheckoutReturnProps) {
  const { config } = useServices()
  const { checkout, billing }: Search = useSearch({ strict: false })
  const plan = paidConnection(member.planConnections)
  const isWaiting = checkout === 'done' && plan === undefined
  useMemberAfterReturn()
  const payment = useMemberPolling(isWaiting, 30)
  // A change in the portal reaches the site a moment after the member.
  const portal = useMemberPolling(billing === 'done', 3)
  useCleanAddress((checkout !== undefined && plan !== undefined) || (billing === 'done' && portal.hasEnded))

  const isCanceled = checkout === 'canceled' && plan === undefined
  function text(): string | null {
    if (isCanceled) return 'You canceled the payment. Nothing was charged.'
    if (!isWaiting) return null
    return payment.hasEnded
      ? `Your payment hasn’t been confirmed yet. It can take a few minutes, and you don’t need to pay again. If your plan isn’t here within an hour, write to ${config.legal.contactEmail}.`
      : 'Thank you. We’re waiting for your payment to be confirmed. This usually takes a few seconds.'
  }

  const shown = text()
  return (
    <>
      <div className="account-note" data-empty={shown === null}>
        <p role="status">{shown}</p>
        {isWaiting && payment.hasEnded ? (
          <button type="button" className="link" onClick={payment.restart}>
            Check again
          </button>
        ) : null}
        {isCanceled ? <ContinuePayment /> : null}
      </div>
      {isWaiting && !payment.hasEnded ? null : children}
    </>
  )
}

function ContinuePayment() {
  const { memberSession } = useServices()
  const submission = useSubmission('checkout')
  const { isBusy, message } = submission

  function pay() {
    void submission.run(async () => {
      const client = await memberSession.getClient()
      return { page: await startCheckout(client, 'monthly', `${dashboard}?checkout=canceled`) }
    })
  }

  return (
    <>
      <div className="section-actions">
        <button type="button" className="link" aria-disabled={isBusy} onClick={pay}>
          {isBusy ? messages.pleaseWait : 'Continue to payment'}
        </button>
        <Link to="/account/change-plan">Choose another plan</Link>
      </div>
      {message?.isError === true ? (
        <StatusLine id={submission.messageId} message={message} onExpired={submission.expireMessage} />
      ) : null}
    </>
  )
}

const pollMs = 2000

/** Reads the member every two seconds while it is enabled, up to a number of times. */
function useMemberPolling(isEnabled: boolean, maxReads: number) {
  const { refetch } = useMember()
  const [reads, setReads] = useState(0)
  useEffect(() => {
    if (!isEnabled || reads >= maxReads) return
    let isCurrent = true
    const timer = setTimeout(async () => {
      await refetch()
      if (isCurrent) setReads(reads + 1)
    }, pollMs)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [isEnabled, reads, maxReads, refetch])
  return { hasEnded: reads >= maxReads, restart: () => setReads(0) }
}

/** Reads the member again when the browser shows the page that was left for the payment service. */
function useMemberAfterReturn(): void {
  const { refetch } = useMember()
  useEffect(() => {
    function onShow({ persisted }: PageTransitionEvent) {
      if (persisted) void refetch()
    }
    window.addEventListener('pageshow', onShow)
    return () => window.removeEventListener('pageshow', onShow)
  }, [refetch])
}
