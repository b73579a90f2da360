import type { World } from '../../store/store.ts'
import { saveCustomer } from '../customer/customer.ts'
import type { InvoiceRecord } from '../invoice/invoice.record.ts'
import { tryInvoice } from '../invoice/pay-invoice.ts'
import { cardAnswer } from '../payment-intent/payment-intent.ts'
import { setUpCard } from '../payment-method/card-setup.ts'
import { attachPaymentMethod, newPaymentMethod } from '../payment-method/payment-method.ts'
import { runningSubscriptions } from '../subscription/running-subscriptions.ts'

export type CardChange =
  | { kind: 'saved'; cardId: string; paid: InvoiceRecord[]; refused: string | null }
  | { kind: 'needs-authentication' }

/** What running subscriptions of a customer owe. */
export function openInvoices(world: World, customerId: string): InvoiceRecord[] {
  const running = new Set(runningSubscriptions(world, customerId).map(({ id }) => id))
  return world
    .of('invoice')
    .ofCustomer(
      customerId,
      ({ status, subscriptionId, amountRemaining }) =>
        status === 'open' && amountRemaining > 0 && running.has(subscriptionId),
    )
}

/**
 * Saves a card as the customer's default one, and pays what is open with it. A subscription's own card stays, as at Stripe.
 * Throws the refusal of a card that cannot be saved.
 */
export function changeCard(
  world: World,
  customerId: string,
  cardNumber: string,
  { isAuthenticated }: { isAuthenticated: boolean },
): CardChange {
  const card = newPaymentMethod(world, cardNumber)
  if (cardAnswer(card, { isAuthenticated }).kind === 'needs-authentication') {
    world.of('paymentMethod').remove(card.id)
    return { kind: 'needs-authentication' }
  }
  setUpCard(world, attachPaymentMethod(world, card.id, customerId))
  const customer = world.of('customer').get(customerId)
  saveCustomer(world, customer, { ...customer, defaultPaymentMethodId: card.id })
  const tries = openInvoices(world, customerId).map(({ id }) =>
    tryInvoice(world, id, { paymentMethodId: card.id, isAuthenticated }),
  )
  const refusals = tries.flatMap(({ answer }) => (answer.kind === 'declined' ? [answer.message] : []))
  const paid = tries.filter(({ answer }) => answer.kind === 'paid').map(({ invoice }) => invoice)
  return { kind: 'saved', cardId: card.id, paid, refused: refusals[0] ?? null }
}
