import { describe, expect, it } from 'vitest'
import { pagesOf, storeSales } from '#test/payments/stripe-store.ts'
import { InvalidSignatureError, PaymentsUnavailableError } from './gateway-errors.ts'
import { createNoPaymentGateway } from './no-payment-gateway.ts'

const gateway = createNoPaymentGateway()

describe('createNoPaymentGateway', () => {
  it('is not configured', () => {
    expect(gateway.isSetUp).toBe(false)
  })

  it.each([
    [
      'creating a customer',
      () => gateway.createCustomer({ memberId: 'm', appId: 'a', email: 'e@example.com' }),
    ],
    ['listing subscriptions', () => gateway.listSubscriptions('cus_1', storeSales)],
    ['canceling everything', () => gateway.cancelAll('cus_1', storeSales, new Date(0))],
    ['listing all subscriptions', () => pagesOf(gateway.listAllSubscriptions(storeSales))],
    ['listing disputes', () => pagesOf(gateway.listDisputes())],
    ['syncing the catalog', () => gateway.syncCatalog({ id: 'app_1', name: 'One' }, [], () => {})],
  ])('rejects %s', async (_what, call) => {
    const failure = call()
    await expect(failure).rejects.toThrow(PaymentsUnavailableError)
    await expect(failure).rejects.toThrow('STRIPE_SECRET_KEY is not set')
  })

  it('rejects every webhook event', async () => {
    await expect(gateway.readEvent(Buffer.from('{}'), 't=1,v1=2')).rejects.toThrow(InvalidSignatureError)
  })
})
