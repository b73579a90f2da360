import type { IDToken } from 'openid-client'
import { z } from 'zod'
import type { Identity } from './identity-provider.ts'
import { parsedJson } from './parsed-json.ts'

/** The claims of an ID token whose every check it has passed. */
export type Claims = IDToken

/** What Apple's form says about a name. */
const appleUser = z.object({ name: z.object({ firstName: z.unknown(), lastName: z.unknown() }) })

/** As most providers say it. Some write their booleans as texts. */
export function identityOfClaims({ sub, email, email_verified: verified, name }: Claims): Identity {
  return identityFrom(sub, email, verified, name)
}

/**
 * As Microsoft says it. `email` is whatever a tenant's administrator typed, so it counts as verified only when Microsoft
 * says that the tenant owns the address's domain. Each tenant is an issuer of its own, and a subject is one's only there.
 */
export function identityOfMicrosoftClaims({ sub, tid, email, xms_edov: owned, name }: Claims): Identity {
  return identityFrom(`${tid}.${sub}`, email, owned, name)
}

/** As Apple says it. A name comes only in the form, the first time somebody signs in, and nobody signed it. */
export function identityOfAppleClaims(claims: Claims, form: URLSearchParams): Identity {
  return { ...identityOfClaims(claims), name: nameOfAppleUser(form.get('user')) }
}

/** An identity out of claims that may be of any kind. */
export function identityFrom(subject: string, email: unknown, verified: unknown, name: unknown): Identity {
  const address = textOf(email)
  const isVerified = verified === true || verified === 1 || verified === 'true' || verified === '1'
  return { subject, email: address, emailVerified: address !== null && isVerified, name: textOf(name) }
}

function textOf(value: unknown): string | null {
  return (typeof value === 'string' && value.trim()) || null
}

function nameOfAppleUser(json: string | null): string | null {
  const { firstName, lastName } = appleUser.safeParse(parsedJson(json ?? '')).data?.name ?? {}
  return [textOf(firstName), textOf(lastName)].filter(Boolean).join(' ') || null
}
