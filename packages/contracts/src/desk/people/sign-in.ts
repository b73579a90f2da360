import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { dataOf } from '../../envelope.ts'
import { describedError } from '../../errors.ts'
import { limits } from '../../limits.ts'
import * as routes from '../routes.ts'
import { passkeyAssertion, requestOptions } from './passkeys.ts'
import { you } from './you.ts'

const tag = 'Desk: sessions'
const errors = {
  400: describedError('The request is invalid; the message says what is expected'),
  403: describedError('The request comes from a page of another origin, or lacks the header X-Desk'),
  429: describedError('Too many attempts from this network'),
} as const

export const requestSignInOptions = endpoint(routes.requestSignInOptions, {
  access: 'public',
  tag,
  summary: 'Returns the options for signing in with a passkey',
  reply: dataOf(requestOptions),
  errors: { ...errors, 409: describedError('Passkeys need HTTPS or localhost') },
})

export const signIn = endpoint(routes.signIn, {
  access: 'public',
  tag,
  summary: 'Signs in with a passkey',
  description: 'Sets the cookie of the session. Every change then needs the header `X-Desk: 1`.',
  body: z.strictObject({ response: passkeyAssertion }),
  reply: dataOf(you),
  errors: { ...errors, 401: describedError('The passkey is unknown or was refused') },
})

export const requestSignInLink = endpoint(routes.requestSignInLink, {
  access: 'public',
  tag,
  summary: 'Emails a link that signs in',
  description: `It works once, within ${limits.signInLinkMinutes} minutes. The reply is the same for every address.`,
  body: z.strictObject({ email: z.string().max(320) }),
  reply: dataOf(z.object({ message: z.string() })),
  statuses: [202],
  errors,
})

const linkParams = z.object({ token: z.string().max(200) })
const linkErrors = {
  ...errors,
  410: describedError('The link was used, has expired, or never existed'),
} as const

export const openSignInLink = endpoint(routes.openSignInLink, {
  access: 'public',
  tag,
  summary: 'Returns whether a link still works, without using it up',
  params: linkParams,
  reply: dataOf(z.object({ email: z.string() })),
  errors: linkErrors,
})

export const signInWithLink = endpoint(routes.signInWithLink, {
  access: 'public',
  tag,
  summary: 'Signs in with a link, once',
  description:
    'Where the person has a passkey, the link is no proof: sensitive changes still ask for the passkey.',
  params: linkParams,
  reply: dataOf(you),
  errors: linkErrors,
})
