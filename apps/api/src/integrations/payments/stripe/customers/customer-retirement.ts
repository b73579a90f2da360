import type Stripe from 'stripe'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import { listAll, pageSize } from '../client/client.ts'
import { orMissing } from '../client/errors.ts'

const ended: readonly Stripe.Subscription.Status[] = ['canceled', 'incomplete_expired']

/**
 * Deletes or redacts customers. Stripe's redaction jobs also remove what invoices and charges quote, but are a preview
 * and make refunds impossible (https://docs.stripe.com/privacy/redaction).
 */
export function stripeCustomerRetirement(stripe: Stripe): Pick<PaymentGateway, 'retireCustomer'> {
  /** Returns whether anything may still be paid. Deleting a customer cancels all that is sold to them. */
  async function isInUse({ id: customer, balance }: Stripe.Customer): Promise<boolean> {
    if (balance !== 0) return true
    const { data: sessions } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 1 })
    if (sessions.length > 0) return true
    const filter = { customer, limit: pageSize }
    const subscriptions = await listAll(stripe.subscriptions.list({ ...filter, status: 'all' }))
    if (subscriptions.some(({ status }) => !ended.includes(status))) return true
    const schedules = await listAll(stripe.subscriptionSchedules.list(filter))
    if (schedules.some(({ status }) => status === 'not_started')) return true
    for (const status of ['draft', 'open'] as const) {
      if ((await stripe.invoices.list({ customer, status, limit: 1 })).data.length > 0) return true
    }
    return false
  }

  /** Removes what Stripe lets us remove. Invoices and charges quote the name and the email that they were made with. */
  async function redact(customer: string): Promise<void> {
    for (const { id } of await listAll(stripe.paymentMethods.list({ customer, limit: pageSize })))
      await stripe.paymentMethods.detach(id)
    await stripe.customers.update(customer, {
      name: '',
      email: '',
      phone: '',
      description: '',
      address: '',
      shipping: '',
      metadata: '',
    })
  }

  return {
    async retireCustomer(customerId, mode) {
      const customer = await stripe.customers.retrieve(customerId)
      if (customer.deleted) return 'deleted'
      if (await isInUse(customer)) return 'kept'
      if (mode === 'keep') {
        await redact(customerId)
        return 'redacted'
      }
      // It may be deleted meanwhile.
      await orMissing(stripe.customers.del(customerId))
      return 'deleted'
    },
  }
}
