import type { PaymentAccount } from '#integrations/payments/payment-gateway.ts'
import type { Db } from '#platform/database.ts'

/** Returns the account that the database belongs to; null before the first `payments sync`. */
export async function findPaymentAccount(db: Db): Promise<PaymentAccount | null> {
  const row = await db.paymentAccount.findUnique({ where: { id: 1 } })
  return row === null ? null : { id: row.accountId, isLive: row.livemode }
}

/** Binds the database to an account, unless it is already bound. */
export async function storePaymentAccount(db: Db, { id, isLive }: PaymentAccount, now: Date): Promise<void> {
  const row = { id: 1, accountId: id, livemode: isLive, boundAt: now }
  await db.paymentAccount.createMany({ data: [row], skipDuplicates: true })
}
