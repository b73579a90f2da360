import { describe, expect } from 'vitest'
import { paymentMailTest } from '#test/fixtures.ts'
import { createDeletionActions } from '#test/payments/deletion-actions.ts'
import { testPrices } from '#test/sites/payment-site.ts'

const minuteMs = 60_000
const refunded = { amount: 499, currency: 'usd', status: 'refunded' }
const it = paymentMailTest().extend('accounts', { scope: 'file' }, ({ payments, actions }) =>
  createDeletionActions({ payments, actions }),
)

describe('a second payment that no sync has seen when the account is deleted', () => {
  it.for([
    ['by the deletion', false],
    ['by a sync that comes first', true],
  ] as const)(
    'is refunded %s, and the first one is kept',
    async ([, isSyncedFirst], { accounts, payments }) => {
      const { context, clock } = payments.site
      const ann = await accounts.subscribe()
      const page = await payments.openSecondCheckout(ann, testPrices.monthly)
      clock.pass(1_000)
      await payments.controls.setWebhooks({ mode: 'off' })
      await payments.controls.completeCheckout(page)
      await accounts.pass(30 * minuteMs)
      if (isSyncedFirst) await accounts.failCalls(ann.customer)
      await accounts.delete(ann)
      if (isSyncedFirst) {
        await accounts.loseJobs()
        await payments.controls.clearFaults()
        await context.subscriptionSync.sync(ann.customer)
      }
      await context.accountDeletion.close(ann.memberId)
      await payments.controls.setWebhooks({ mode: 'on' })

      expect(await accounts.chargesOf(ann.customer)).toEqual([
        [499, true],
        [499, false],
      ])
      expect(await accounts.statusesOf(ann.customer)).toEqual(['canceled', 'canceled'])
      await accounts.waitUntilClosed(ann)
      expect((await accounts.emailsTo(ann)).at(-1)).toMatchObject({
        kind: 'account-deleted',
        data: { refunds: [refunded] },
      })
    },
  )
})
