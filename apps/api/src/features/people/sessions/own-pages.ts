import type { FastifyRequest } from 'fastify'
import { fail } from '../people.errors.ts'

/**
 * Throws unless a change comes from a page of the site: by its Origin, and by a header that forms of other sites can't
 * send. Browsers send the Origin with every change.
 */
export function requireOwnPage(
  { method, headers }: Pick<FastifyRequest, 'method' | 'headers'>,
  { origins }: { origins: ReadonlySet<string> },
): void {
  const isRead = method === 'GET' || method === 'HEAD'
  requireOwnOrigin(headers.origin, { origins, isOptional: isRead })
  if (!isRead && headers['x-desk'] === undefined) throw fail('desk-header-missing')
}

export function requireOwnOrigin(
  origin: string | undefined,
  { origins, isOptional }: { origins: ReadonlySet<string>; isOptional: boolean },
): void {
  if (origin === undefined ? !isOptional : !origins.has(origin)) throw fail('origin-not-permitted')
}
