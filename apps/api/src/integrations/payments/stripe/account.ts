import type Stripe from 'stripe'
import type { Logger } from '#platform/logger.ts'
import { WrongPaymentAccountError } from '../gateway-errors.ts'
import type { PaymentAccount } from '../payment-gateway.ts'
import { isForbidden } from './client/errors.ts'

type Options = {
  isLive: boolean
  /** Returns the account that the database belongs to; null before its first sync. */
  findStored: () => Promise<PaymentAccount | null>
  logger: Logger
}

/** Compares the secret key's account with the database's, once per process. */
export function stripeAccount(stripe: Stripe, { isLive, findStored, logger }: Options) {
  let found: PaymentAccount | null = null
  let isChecked = false

  async function findAccount(): Promise<PaymentAccount> {
    found ??= { id: await findAccountId(stripe), isLive }
    return found
  }

  return {
    findAccount,
    /** Throws {@link WrongPaymentAccountError}. Checks again with the next call if Stripe is unavailable. */
    async checkAccount(): Promise<void> {
      if (isChecked) return
      const stored = await findStored()
      if (stored === null) return
      const own = await findAccount()
      if (own.id !== stored.id || own.isLive !== stored.isLive) {
        logger.error({ stored, found: own }, 'payment account mismatch')
        throw new WrongPaymentAccountError(
          `This database belongs to Stripe account ${nameOf(stored)}, but STRIPE_SECRET_KEY belongs to ${nameOf(own)}. ` +
            "Set the first account's key, or use another database.",
        )
      }
      isChecked = true
    },
  }
}

/** Stripe's error names the account even when a restricted key can't read it. */
async function findAccountId(stripe: Stripe): Promise<string> {
  try {
    return (await stripe.accounts.retrieveCurrent()).id
  } catch (error) {
    const message = error instanceof Error && isForbidden(error) ? error.message : ''
    const [id] = message.match(/acct_\w+/) ?? []
    if (id === undefined) throw error
    return id
  }
}

function nameOf({ id, isLive }: PaymentAccount): string {
  return `${id} (${isLive ? 'live' : 'test'} mode)`
}
