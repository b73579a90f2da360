import type { IDToken } from 'openid-client'
import { z } from 'zod'
import { parseJson } from '#platform/parse-json.ts'
import type { Identity } from './identity-provider.ts'

/** The claims of an ID token that has passed every check. */
export type Claims = IDToken

/** The name in Apple's form. */
const appleUser = z.object({ name: z.object({ firstName: z.unknown(), lastName: z.unknown() }) })

/** Returns the identity in most providers' claims. Some send booleans as texts. */
export function identityOfClaims({ sub, email, email_verified: verified, name }: Claims): Identity {
  return identityFrom(sub, email, verified, name)
}

/**
 * Returns the identity in Microsoft's claims. A tenant's administrator can set any `email`, so it is verified only if the
 * tenant owns its domain. Subjects are unique only within a tenant.
 */
export function identityOfMicrosoftClaims({ sub, tid, email, xms_edov: owned, name }: Claims): Identity {
  return identityFrom(`${tid}.${sub}`, email, owned, name)
}

/** Returns the identity in Apple's claims. The name comes only in the form of the first sign-in, unsigned. */
export function identityOfAppleClaims(claims: Claims, form: URLSearchParams): Identity {
  const { firstName, lastName } = appleUser.safeParse(parseJson(form.get('user') ?? '')).data?.name ?? {}
  const name = [textOf(firstName), textOf(lastName)].filter(Boolean).join(' ') || null
  return { ...identityOfClaims(claims), name }
}

/** Returns an identity from claims of any type. */
export function identityFrom(subject: string, email: unknown, verified: unknown, name: unknown): Identity {
  const address = textOf(email)
  const isVerified = verified === true || verified === 1 || verified === 'true' || verified === '1'
  return { subject, email: address, emailVerified: address !== null && isVerified, name: textOf(name) }
}

function textOf(value: unknown): string | null {
  return (typeof value === 'string' && value.trim()) || null
}
