import type { Facts, Finding, MailFact } from './facts.ts'

const charging = new Set(['trialing', 'active', 'past_due'])
const money = /\$([\d,]+\.\d\d)/g

/** Finds amounts and days on the site and in emails that are not Stripe's. */
export function amountsThatDiffer(facts: Facts): Finding[] {
  return [
    ...shownAmounts(facts),
    ...agreedAmounts(facts),
    ...announcedAmounts(facts),
    ...facts.mails.flatMap((mail) => mailedAmounts(mail, facts)),
    ...mailedPrices(facts),
  ]
}

function shownAmounts({ shown, subscriptions }: Facts): Finding[] {
  return shown.flatMap(({ process, plans }) =>
    plans.flatMap((plan) => {
      const found = subscriptions.find(({ planId, endedAt }) => planId === plan.planId && endedAt === null)
      if (found === undefined || found.status.startsWith('incomplete')) return []
      const { amount, currency, cancelAt, periodEnd, status } = found
      const nextBillingDate = charging.has(status) && cancelAt === null ? periodEnd : null
      const wanted = { amount, currency, nextBillingDate, cancelAtDate: cancelAt }
      const said = {
        amount: plan.amount,
        currency: plan.currency,
        nextBillingDate: plan.nextBillingDate,
        cancelAtDate: plan.cancelAtDate,
      }
      if (JSON.stringify(said) === JSON.stringify(wanted)) return []
      const text = `${process} shows ${JSON.stringify(said)}, Stripe has ${JSON.stringify(wanted)}`
      return [{ subject: `${found.id} ${process}`, text }]
    }),
  )
}

/** An upgrade costs what the site said when the member confirmed it. */
function agreedAmounts({ agreements, invoices }: Facts): Finding[] {
  return agreements
    .filter(
      ({ at, amountDue }) =>
        !invoices.some(
          ({ reason, created, amountDue: due }) =>
            reason === 'subscription_update' && created === at && due === amountDue,
        ),
    )
    .map(({ at, amountDue }) => ({
      subject: `agreed ${at}`,
      text: `an upgrade at ${at} was confirmed for ${amountDue}, which no invoice has`,
    }))
}

/** A renewal costs what the site said before it. */
function announcedAmounts({ announcements, invoices }: Facts): Finding[] {
  return announcements.flatMap(({ from, amount }) =>
    invoices
      .filter(
        ({ isOwn, reason, periodStart }) => isOwn && reason === 'subscription_cycle' && periodStart === from,
      )
      .filter(({ total }) => total !== amount)
      .map(({ id, total }) => ({
        subject: `announced ${id}`,
        text: `the site said that ${id} would cost ${amount}, and it costs ${total}`,
      })),
  )
}

/** Each amount in an email is one of the customer's at Stripe, in the role that its label names. */
function mailedAmounts({ at, subject, text }: MailFact, { invoices, charges, prices }: Facts): Finding[] {
  const refunds = charges.flatMap((charge) => charge.refunds.map(({ amount }) => amount))
  const byLabel: Record<string, number[]> = {
    Charged: invoices.map(({ amountPaid }) => amountPaid),
    'Amount due': invoices.map(({ amountDue }) => amountDue),
    Refunded: refunds,
  }
  const known = new Set([
    ...prices,
    ...refunds,
    ...charges.map(({ amount }) => amount),
    ...invoices.flatMap(({ total, amountDue, amountPaid }) => [total, amountDue, amountPaid]),
  ])
  const wrong = text.split('\n').flatMap((line) => {
    const label = Object.keys(byLabel).find((one) => line.startsWith(`${one}: `))
    const allowed = label === undefined ? known : new Set(byLabel[label])
    return amountsIn(line).some((amount) => !allowed.has(amount)) ? [line] : []
  })
  return wrong.map((line) => ({
    subject: `mail ${at} ${subject} ${line}`,
    text: `"${subject}" of ${at} says "${line}", which is no amount of this customer at Stripe`,
  }))
}

/** The price in an email is what the next renewal charges, unless another email or a discount comes in between. */
function mailedPrices({ mails, subscriptions, invoices }: Facts): Finding[] {
  // A cancellation replaces what was said before, such as a scheduled change.
  const priced = mails.flatMap(({ at, subject, text }) => {
    const [price = null] = amountsIn(/^Price: .*$/m.exec(text)?.[0] ?? '')
    return price === null && !/^Ends on: /m.test(text) ? [] : [{ at, subject, price }]
  })
  return priced.flatMap(({ at, subject, price }) => {
    if (price === null) return []
    const running = subscriptions.filter(
      ({ planId, created, endedAt }) => planId !== null && created <= at && (endedAt ?? Infinity) > at,
    )
    const [subscription] = running
    if (subscription === undefined || running.length > 1) return []
    const later = invoices
      .filter((one) => one.subscriptionId === subscription.id && one.created > at && one.isOwn)
      .toSorted((one, other) => one.created - other.created)
    const [next] = later
    if (next === undefined || next.reason !== 'subscription_cycle' || next.total === price) return []
    const isReplaced = priced.some((mail) => mail.at >= at && mail.at < next.created && mail.price !== price)
    if (isReplaced || (next.discountedSince ?? 0) > at) return []
    const text = `"${subject}" of ${at} says that a renewal costs ${price}, but ${next.id} costs ${next.total}`
    return [{ subject: `price ${next.id}`, text }]
  })
}

/** Returns the amounts in a text, in cents. */
function amountsIn(text: string): number[] {
  return [...text.matchAll(money)].map(([, digits = '']) => Number(digits.replaceAll(/[,.]/g, '')))
}
