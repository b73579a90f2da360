import type { CheckedAccount } from '#features/billing/index.ts'
import type { PaymentAccount } from '#integrations/payments/payment-gateway.ts'
import { type Finding, note, ok, type Section, todo } from './finding.ts'

/** Checks the key, its account and mode, and its permissions. */
export function checkAccount({ inspection, stored }: CheckedAccount): Section {
  const { account } = inspection
  const findings = [
    boundTo(account, stored),
    ...(account.isLive
      ? []
      : [note('Test mode: no money moves. The live site needs the live key, and a database of its own.')]),
    charges(inspection.settings),
    permissions(inspection),
  ]
  return { title: 'Key and account', findings }
}

function boundTo(account: PaymentAccount, stored: PaymentAccount | null): Finding {
  if (stored === null)
    return todo(
      `STRIPE_SECRET_KEY belongs to ${nameOf(account)}. Run \`tidings payments sync\` to bind this database to it.`,
    )
  if (stored.id === account.id && stored.isLive === account.isLive)
    return ok(`STRIPE_SECRET_KEY belongs to ${nameOf(account)}, as this database does.`)
  return todo(
    `STRIPE_SECRET_KEY belongs to ${nameOf(account)}, but this database to ${nameOf(stored)}. Set that account's key.`,
  )
}

function charges(settings: CheckedAccount['inspection']['settings']): Finding {
  if (settings === null)
    return note(
      "The key may not read the account. See in the dashboard's home whether it can be charged with.",
    )
  return settings.canCharge
    ? ok('The account accepts charges.')
    : todo("The account doesn't accept charges yet. Complete its activation in the dashboard.")
}

function permissions({ isRestrictedKey, missingPermissions }: CheckedAccount['inspection']): Finding {
  if (!isRestrictedKey) return ok('A secret key has every permission.')
  return missingPermissions.length === 0
    ? ok('The restricted key has every permission that the site needs.')
    : todo(`The restricted key lacks ${missingPermissions.join(', ')}. Add them under Developers > API keys.`)
}

function nameOf({ id, isLive }: PaymentAccount): string {
  return `${id} (${isLive ? 'live' : 'test'} mode)`
}
