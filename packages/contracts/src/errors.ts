import { z } from 'zod'

/** The one shape of every failure, whatever its cause. `code` is for code, `message` for people. */
export const errorReply = z.object({
  error: z.object({ code: z.string(), message: z.string() }),
})
export type ErrorReply = z.infer<typeof errorReply>

/** Stable codes of the site's own API; those of the membership protocol are in its contracts. */
export type ErrorCode =
  | 'article-not-found'
  | 'configuration-error'
  | 'edition-full'
  | 'edition-not-found'
  | 'edition-not-scheduled-in-future'
  | 'file-size-too-large'
  | 'gate-required'
  | 'idempotency-key-reused'
  | 'invalid-api-key'
  | 'invalid-contact'
  | 'invalid-date'
  | 'invalid-edition-key'
  | 'invalid-file'
  | 'invalid-file-type'
  | 'invalid-html'
  | 'invalid-password'
  | 'invalid-request'
  | 'login-required'
  | 'media-not-found'
  | 'memo-not-found'
  | 'not-found'
  | 'origin-not-permitted'
  | 'payload-too-large'
  | 'scope-missing'
  | 'service-unavailable'
  | 'slot-not-found'
  | 'too-many-requests'
  | 'unknown-error'
  | 'unsupported-media-type'
  | 'upgrade-required'
  | 'version-conflict'
  | 'version-required'
