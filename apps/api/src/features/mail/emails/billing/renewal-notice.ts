import { z } from 'zod'
import { type Block, button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { instant, name, sampleInstant, sampleMoney } from '../fields.ts'

/** The cost of one period, with discounts and tax, in minor units. */
const cost = { amount: z.int(), currency: z.string(), interval: z.enum(['MONTHLY', 'YEARLY']).nullable() }
type Cost = z.infer<z.ZodObject<typeof cost>>

const spans = { MONTHLY: 'month', YEARLY: 'year' }
const cancelText =
  'To cancel, open your account below and choose “Billing and invoices”. Your plan then stays open until that day, and you won’t be charged again.'

/**
 * The notice before a yearly renewal and before a change of price, as California's Business and Professions Code 17602
 * requires it: that the plan renews unless canceled, for how long, the amount, and how to cancel with a link.
 */
export const renewalNotice = defineEmail({
  kind: 'renewal-notice',
  group: 'billing',
  data: {
    planName: name,
    /** Another plan from the renewal on; null for none. */
    nextPlanName: name.nullable(),
    ...cost,
    /** The cost of the current period; null if the renewal costs the same, or if that is unknown. */
    former: z.object(cost).nullable(),
    renewsAt: instant,
    /** Whether the price is the reason for the email. */
    isPriceChange: z.boolean(),
    /** Whether an earlier notice named another amount or day. */
    isCorrected: z.boolean(),
  },
  content(data, { appName, pages, formatBillingDay, formatMoney, formatPrice }) {
    const { planName, nextPlanName, amount, currency, interval, former, isPriceChange, isCorrected } = data
    const day = formatBillingDay(data.renewsAt)
    const renewal =
      nextPlanName === null
        ? `Your plan renews automatically on ${day}${interval === null ? '' : ` for another ${spans[interval]}`}, and so on until you cancel.`
        : `Your plan becomes ${nextPlanName} on ${day}. It renews automatically${interval === null ? '' : ` every ${spans[interval]}`} until you cancel.`
    const format = (one: Cost) =>
      one.interval === null ? formatMoney(one.amount, one.currency) : formatPrice(one)
    const correction: Block[] = isCorrected
      ? [text('This replaces our earlier email, because the amount or the day has changed.')]
      : []
    return {
      subject: isPriceChange
        ? `Your ${appName} price changes on ${day}`
        : `Your ${appName} plan renews on ${day}`,
      preview: `We’ll charge you ${formatMoney(amount, currency)}, unless you cancel before then.`,
      title: isPriceChange ? 'Your price changes' : 'Your plan renews soon',
      body: [
        ...correction,
        text(
          `${renewal} We’ll charge you ${formatMoney(amount, currency)} that day, unless you cancel before then.`,
        ),
        facts({
          Plan: planName,
          'New plan': nextPlanName,
          'Renews on': day,
          'Price until then': former && format(former),
          [former === null ? 'Price' : 'New price']: format({ amount, currency, interval }),
        }),
        text('The amount includes your discounts and any tax.'),
        text(cancelText),
        button('Manage or cancel my plan', pages.account),
      ],
      unexpected: 'Don’t want to renew? Cancel before that day, or write to us and we’ll do it for you.',
    }
  },
  samples: {
    yearly: {
      planName: 'Yearly',
      nextPlanName: null,
      ...sampleMoney,
      interval: 'YEARLY',
      former: null,
      renewsAt: sampleInstant,
      isPriceChange: false,
      isCorrected: false,
    },
    'ended discount': {
      planName: 'Monthly',
      nextPlanName: null,
      amount: 499,
      currency: 'usd',
      interval: 'MONTHLY',
      former: { amount: 249, currency: 'usd', interval: 'MONTHLY' },
      renewsAt: sampleInstant,
      isPriceChange: true,
      isCorrected: false,
    },
    'another plan': {
      planName: 'Yearly',
      nextPlanName: 'Monthly',
      amount: 249,
      currency: 'usd',
      interval: 'MONTHLY',
      former: { ...sampleMoney, interval: 'YEARLY' },
      renewsAt: sampleInstant,
      isPriceChange: false,
      isCorrected: true,
    },
  },
})
