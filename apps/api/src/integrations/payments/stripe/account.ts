import type Stripe from 'stripe'
import type { Logger } from '#platform/logger.ts'
import { type PaymentAccount, WrongPaymentAccountError } from '../payment-gateway.ts'
import { isForbidden } from './errors.ts'

type Options = {
  isLive: boolean
  /** Returns the account that the database belongs to; null until it belongs to one. */
  findStored: () => Promise<PaymentAccount | null>
  logger: Logger
}

/** The account that the secret key belongs to, compared with the database's own once in a process. */
export function stripeAccount(stripe: Stripe, { isLive, findStored, logger }: Options) {
  let found: PaymentAccount | null = null
  let isChecked = false

  async function findAccount(): Promise<PaymentAccount> {
    found ??= { id: await idOfAccount(stripe), isLive }
    return found
  }

  return {
    findAccount,
    /** Throws {@link WrongPaymentAccountError}; retries with the next call when Stripe can't be reached. */
    async checkAccount(): Promise<void> {
      if (isChecked) return
      const stored = await findStored()
      if (stored === null) return
      const own = await findAccount()
      if (own.id !== stored.id || own.isLive !== stored.isLive) {
        logger.error({ stored, found: own }, 'payment account mismatch')
        throw new WrongPaymentAccountError(
          `The database belongs to Stripe account ${nameOf(stored)}, and STRIPE_SECRET_KEY to ${nameOf(own)}. ` +
            'Set the key of the first one, or use another database for the second one.',
        )
      }
      isChecked = true
    },
  }
}

/** Stripe names the account even when it refuses to let a restricted key read it. */
async function idOfAccount(stripe: Stripe): Promise<string> {
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
