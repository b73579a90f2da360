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
  const { origin } = headers
  if (origin === undefined ? !isRead : !origins.has(origin)) throw fail('origin-not-permitted')
  if (!isRead && headers['x-desk'] === undefined) throw fail('desk-header-missing')
}
