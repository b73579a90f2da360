import type Stripe from 'stripe'
import { sha256 } from '../../../platform/ids.ts'
import type { PaymentGateway } from '../payment-gateway.ts'
import { isCustomerGone } from './failures.ts'
import { onceFor } from './idempotency.ts'

/** The members as Stripe knows them. */
export function customersAt(
  stripe: Stripe,
): Pick<PaymentGateway, 'createCustomer' | 'removeCustomer' | 'changeEmail'> {
  async function isGone(customerId: string): Promise<boolean> {
    try {
      const customer = await stripe.customers.retrieve(customerId)
      return customer.deleted === true
    } catch (error) {
      if (isCustomerGone(error)) return true
      throw error
    }
  }

  return {
    async createCustomer({ memberId, appId, email }) {
      const params = { email, metadata: { member: memberId, app: appId } }
      const key = `customer-${memberId}-${sha256(email).slice(0, 16)}`
      const create = (options: Stripe.RequestOptions) => stripe.customers.create(params, options)
      const { id } = await onceFor(key, create, (customer) => isGone(customer.id))
      return id
    },
    async removeCustomer(customerId) {
      try {
        await stripe.customers.del(customerId)
      } catch (error) {
        if (!isCustomerGone(error)) throw error
      }
    },
    async changeEmail(customerId, email) {
      await stripe.customers.update(customerId, { email })
    },
  }
}
