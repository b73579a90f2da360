import type Stripe from 'stripe'
import type { PaymentGateway } from '#integrations/payments/payment-gateway.ts'
import { sha256 } from '#platform/ids.ts'
import { callOnce } from '../client/client.ts'
import { forCustomer } from '../client/errors.ts'

type CustomerCalls = Pick<PaymentGateway, 'createCustomer' | 'findOwner' | 'updateEmail'>

export function stripeCustomers(stripe: Stripe): CustomerCalls {
  return {
    async createCustomer({ memberId, appId, email }) {
      const params = { email, metadata: { member: memberId, app: appId } }
      const key = `customer-${memberId}-${sha256(email).slice(0, 16)}`
      return (await callOnce(key, (options) => stripe.customers.create(params, options))).id
    },
    async findOwner(customerId) {
      const customer = await stripe.customers.retrieve(customerId)
      const { app: appId, member: memberId } = customer.deleted ? {} : customer.metadata
      return appId === undefined || memberId === undefined ? null : { appId, memberId }
    },
    async updateEmail(customerId, email) {
      await forCustomer(stripe, customerId, () => stripe.customers.update(customerId, { email }))
    },
  }
}
