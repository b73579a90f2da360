import { expect, test } from 'vitest'
import { createLazyPaymentGateway } from './lazy-payment-gateway.ts'
import { createNoPaymentGateway } from './no-payment-gateway.ts'
import type { PaymentGateway } from './payment-gateway.ts'

/** Counts how often the gateway is loaded. */
function lazyGateway(methods: Partial<PaymentGateway>) {
  const loaded = { times: 0 }
  const gateway = createLazyPaymentGateway(async () => {
    loaded.times += 1
    return { ...createNoPaymentGateway(), ...methods }
  })
  return { gateway, loaded }
}

test('the gateway is loaded by the first call, once', async () => {
  const { gateway, loaded } = lazyGateway({ hasPrice: async (id) => id === 'price_1' })
  expect([gateway.isSetUp, loaded.times]).toEqual([true, 0])

  expect(await Promise.all([gateway.hasPrice('price_1'), gateway.hasPrice('price_2')])).toEqual([true, false])

  expect(loaded.times).toBe(1)
})

test('pages are those of the gateway', async () => {
  const { gateway, loaded } = lazyGateway({
    async *listDisputes() {
      yield [{ id: 'dp_1', customerId: 'cus_1' }]
      yield []
    },
  })
  const listing = gateway.listDisputes()
  expect(loaded.times).toBe(0)

  const pages = []
  for await (const page of listing) pages.push(page)
  expect(pages).toEqual([[{ id: 'dp_1', customerId: 'cus_1' }], []])
})
