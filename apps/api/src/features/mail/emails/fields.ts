import { totalWithTax } from '@tidings/contracts/membership/price-text'
import { z } from 'zod'
import { oneLine } from '#platform/text/one-line.ts'
import { type Block, button, facts, text } from '../layout/define-email.ts'
import type { EmailSite } from '../layout/email-site.ts'

/** A name goes into headers too, so it is one line without control characters. */
export const name = z.string().transform(oneLine)

/** ISO 8601 in UTC. */
export const instant = z.iso.datetime().transform((time) => new Date(time))

/** `amount` is in minor units. */
const money = { amount: z.int(), currency: z.string() }

/** The price of the next payments; `charged` is what was paid already, null while that is to come. */
export const price = {
  ...money,
  /** Whether tax is added to the price or included in it. */
  taxBehavior: z.enum(['exclusive', 'inclusive']).nullish(),
  /** The amounts of payments, each with its first day; several while a discount lasts. */
  amounts: z.array(z.object({ from: z.iso.datetime(), amount: z.int(), tax: z.int() })).optional(),
  interval: z.enum(['MONTHLY', 'YEARLY']).nullable(),
  charged: z.int().nullish(),
  nextBillingDate: instant.nullish(),
}
type Price = z.output<z.ZodObject<typeof price>>

/** A plan and its price, with the page of the latest payment's receipt. */
export const paidPlan = { planName: name, ...price, invoiceUrl: z.string().nullable() }

export function priceFacts(
  data: Price,
  { formatBillingDay, formatMoney, formatPrice }: EmailSite,
): Record<string, string | null> {
  const { charged, currency, interval, taxBehavior = null, amounts = [], nextBillingDate } = data
  const total = totalWithTax({ interval, taxBehavior, amounts })
  const day = nextBillingDate ? formatBillingDay(nextBillingDate) : null
  return {
    Charged: charged == null ? null : formatMoney(charged, currency),
    Price: formatPrice(data),
    'Next payment': total === null || day === null ? day : `${formatMoney(total, currency)} on ${day}`,
  }
}

export function receiptButton(invoiceUrl: string | null, { pages }: EmailSite): Block {
  return invoiceUrl === null ? button('Open my account', pages.account) : button('View receipt', invoiceUrl)
}

/** `payUrl` is the page to pay at; without one, the member pays from their account. */
export const amountDue = { planName: name, ...money, payUrl: z.string().nullable() }

/** The outcome of a refund; a `manual` one is left to the merchant. */
export const refundedPayment = z.object({ ...money, status: z.enum(['refunded', 'failed', 'manual']) })
export type RefundedPayment = z.infer<typeof refundedPayment>

const pendingTexts = {
  failed: 'The refund failed. We know about it, and we’ll settle it with you.',
  manual: 'We know about it. We’ll refund this payment, or write to you.',
}

export function refundBlocks(
  { amount, currency, status }: RefundedPayment,
  { formatMoney }: EmailSite,
): Block[] {
  const paid = formatMoney(amount, currency)
  if (status !== 'refunded') return [facts({ 'Refund pending': paid }), text(pendingTexts[status])]
  return [facts({ Refunded: paid }), text('The refund reaches your card in 5 to 10 days.')]
}

/** A one-time code, and for how many minutes it works. */
export const codeFields = { code: z.string(), minutes: z.int() }

export function codeText(minutes: number): Block {
  const span = minutes === 60 ? '1 hour' : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`
  return text(`This code expires in ${span} and works once. Never share it.`)
}

export const sampleCode = { code: '418206', minutes: 10 }
// In Los Angeles this is still the evening of December 20.
export const sampleInstant = '2026-12-21T05:00:00.000Z'
export const sampleInvoiceUrl = 'https://pay.example.com/i/acct_1/live_1?s=ap&x=1'
export const sampleMoney = { amount: 4999, currency: 'usd' }
export const samplePrice = { ...sampleMoney, interval: 'YEARLY', nextBillingDate: sampleInstant } as const
export const samplePlanChange = { fromPlanName: 'Monthly', toPlanName: 'Yearly', ...samplePrice }
/** Half the price for a year, then all of it, each plus tax. */
export const sampleDiscount: Pick<z.input<z.ZodObject<typeof price>>, 'taxBehavior' | 'amounts'> = {
  taxBehavior: 'exclusive',
  amounts: [
    { from: sampleInstant, amount: 2719, tax: 219 },
    { from: '2027-12-21T05:00:00.000Z', amount: 5436, tax: 437 },
  ],
}
