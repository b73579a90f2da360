import { object } from '../protocol/params.ts'
import { endpoint } from './endpoint.ts'

/** `GET /account`: the account that the call's key belongs to. */
export const accountEndpoint = endpoint('GET', '/account', object({}), ({ store: { accountId } }) => ({
  id: accountId,
  object: 'account',
  country: 'US',
  default_currency: 'usd',
  charges_enabled: true,
  payouts_enabled: true,
  details_submitted: true,
  metadata: {},
  type: 'standard',
}))
