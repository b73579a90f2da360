import type Stripe from 'stripe'
import { expect, vi } from 'vitest'
import type { TestMember } from '../membership.ts'
import { type PaymentSite, testPrices } from '../sites/payment-site.ts'
import { waitOptions } from '../wait-options.ts'
import type { PaymentActions } from './payment-actions.ts'

export type PayingMember = TestMember & { customer: string }

/** Creates the actions on accounts that are deleted, which read what is left of them here and at Stripe. */
export function createDeletionActions({
  payments,
  actions,
}: {
  payments: PaymentSite
  actions: PaymentActions
}) {
  const { site, members, stripe, controls } = payments
  const { db } = site.context.database

  async function deletionOf({ memberId }: Pick<TestMember, 'memberId'>) {
    return await db.accountDeletion.findUnique({ where: { memberId } })
  }

  return {
    deletionOf,
    /** Returns a subscriber with a verified address. */
    async subscribe(priceId: string = testPrices.monthly): Promise<PayingMember> {
      const member = await members.signUp()
      await db.member.update({ where: { id: member.memberId }, data: { verified: true } })
      await payments.subscribe(member, priceId)
      return { ...member, customer: await actions.customerOf(member) }
    },
    async delete({ headers }: Pick<TestMember, 'headers'>) {
      return await members.call('DELETE', '/member', { headers })
    },
    async exists({ memberId }: Pick<TestMember, 'memberId'>): Promise<boolean> {
      return (await db.member.count({ where: { id: memberId } })) === 1
    },
    /** Waits until the address of a deleted account is free. */
    async waitUntilClosed(member: Pick<TestMember, 'memberId'>): Promise<void> {
      await vi.waitFor(async () => {
        if (((await deletionOf(member))?.email ?? null) !== null) throw new Error('The account is closing.')
      }, waitOptions)
    },
    /** Lets every call to Stripe that names the text fail, until `clearFaults`. */
    async failCalls(about: string, match?: string): Promise<void> {
      const where = match === undefined ? {} : { match }
      await controls.addFault({ kind: 'server-error', about, times: 100_000, ...where })
    },
    /** Passes time on both clocks, without waiting for jobs. */
    async pass(ms: number): Promise<void> {
      site.clock.pass(ms)
      await controls.advanceTime(0)
    },
    /** Returns the statuses of a customer's subscriptions, also of a deleted customer. */
    async statusesOf(customer: string): Promise<string[]> {
      const all = await stripe.subscriptions
        .list({ status: 'all', limit: 100 })
        .autoPagingToArray({ limit: 10_000 })
      return all.filter((one) => one.customer === customer).map(({ status }) => status)
    },
    /** Returns a customer's charges in cents, newest first, and whether each was refunded. */
    async chargesOf(customer: string): Promise<[amount: number, refunded: boolean][]> {
      const all = await stripe.charges.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 })
      return all
        .filter((charge) => charge.customer === customer)
        .map(({ amount, refunded }) => [amount, refunded])
    },
    async customerAtStripe(customer: string): Promise<Stripe.Customer | Stripe.DeletedCustomer> {
      return await stripe.customers.retrieve(customer)
    },
    /** Returns the kinds and data of the emails to a member about the deletion, oldest first. */
    async emailsTo({ email: recipient }: Pick<TestMember, 'email'>) {
      const rows = await db.outboxEmail.findMany({
        where: { recipient, kind: { in: ['account-closing', 'account-deleted'] } },
        orderBy: { createdAt: 'asc' },
      })
      return rows.map(({ kind, data }) => ({ kind, data }))
    },
    /** Deletes the jobs once none of them runs: one that has begun would close the account later. */
    async loseJobs(): Promise<void> {
      await vi.waitFor(async () => {
        await db.$executeRaw`DELETE FROM jobs.job WHERE name = 'account-deletion.close' AND state <> 'active'`
        const left = await db.$queryRaw`SELECT 1 FROM jobs.job WHERE name = 'account-deletion.close'`
        expect(left).toEqual([])
      }, waitOptions)
    },
  }
}
