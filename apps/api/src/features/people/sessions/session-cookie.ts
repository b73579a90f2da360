import { limits } from '@tidings/contracts/limits'
import type { FastifyReply, FastifyRequest } from 'fastify'

const name = 'tidings_desk'
const pattern = new RegExp(`(?:^|;)\\s*${name}=([\\w-]{43})\\s*(?:;|$)`)
const maxAge = limits.deskSession.days * 24 * 3600

/** Returns the secret of the session in a Cookie header. */
export function sessionSecretOf(cookieHeader: string | undefined): string | null {
  return pattern.exec(cookieHeader ?? '')?.[1] ?? null
}

/** Sets the cookie of a session; with null, deletes it. Only requests of the site's own pages carry it. */
export function setSessionCookie(
  reply: FastifyReply,
  secret: string | null,
  { isSecure }: { isSecure: boolean },
): void {
  const age = secret === null ? 0 : maxAge
  const parts = [`${name}=${secret ?? ''}`, 'Path=/desk', `Max-Age=${age}`, 'HttpOnly', 'SameSite=Strict']
  reply.header('Set-Cookie', [...parts, ...(isSecure ? ['Secure'] : [])].join('; '))
}

/** Returns the browser of a request, for the list of sessions. */
export function deviceOf({ headers }: FastifyRequest): string {
  return headers['user-agent'] ?? ''
}
