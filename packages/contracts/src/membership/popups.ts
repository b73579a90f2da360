import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as routes from './routes.ts'

/** The largest JSON of custom fields in a popup's query. */
export const maxFieldBytes = 20_000

/**
 * The query that a client opens a popup with. Clients URL-encode `customFields` and `plans` twice, and leave missing values
 * out or send their name. The oldest send neither their key nor their origin.
 */
export const popupQuery = z.object({
  provider: z.string().min(1).max(40),
  appId: z.string().max(100).optional(),
  publicKey: z.string().max(100).optional(),
  origin: z.string().max(255).optional(),
  customFields: z.string().max(maxFieldBytes).optional(),
  plans: z.string().max(5_000).optional(),
  member: z.string().max(2_000).optional(),
  allowSignup: z.string().max(10).optional(),
})
export type PopupQuery = z.infer<typeof popupQuery>

const popup = { access: 'public', tag: 'Membership: social sign-in' } as const

export const openLoginPopup = endpoint(routes.openLoginPopup, {
  ...popup,
  summary: 'Opens a popup to login with an identity provider',
  query: popupQuery,
})

export const openSignupPopup = endpoint(routes.openSignupPopup, {
  ...popup,
  summary: 'Opens a popup to signup with an identity provider',
  query: popupQuery,
})

export const openConnectPopup = endpoint(routes.openConnectPopup, {
  ...popup,
  summary: 'Opens a popup that asks before it connects an identity provider',
  query: popupQuery,
})

const callback = {
  ...popup,
  summary: 'Receives the browser from an identity provider',
  query: z.record(z.string(), z.unknown()),
} as const

export const openProviderCallback = endpoint(
  { method: 'GET', path: '/auth-provider/callback/:provider' },
  callback,
)

/** The same, from a provider that posts a form. */
export const postProviderCallback = endpoint(
  { method: 'POST', path: '/auth-provider/callback/:provider' },
  callback,
)
