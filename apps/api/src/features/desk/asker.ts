import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors.ts'
import { sha256 } from '#platform/ids.ts'
import type { Asker, DeskReply } from './changes/changes.service.ts'
import type { Editor } from './keys/editor-keys.service.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyRequest {
    /** Set by the access check of the desk's routes. */
    editor: Editor | null
  }
}

/** The editor of a request that has passed the access check. */
export function editorOf(request: FastifyRequest): Editor {
  if (request.editor !== null) return request.editor
  throw new Error('A route of the desk was reached without the access check')
}

/** Who asks for a change. `content` is what the request carries, for comparing repeated requests. */
export function askerOf(request: FastifyRequest, content: unknown): Asker {
  const header = request.headers['idempotency-key']
  if (header === undefined || request.method !== 'POST') {
    return { editor: editorOf(request), idempotency: null }
  }
  const key = String(header)
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new AppError(
      'invalid-request',
      400,
      'Idempotency-Key takes 1 to 200 visible ASCII characters without spaces.',
    )
  }
  const requestHash = sha256(`${request.method} ${request.url}\n${contentHash(content)}`)
  return { editor: editorOf(request), idempotency: { key, requestHash } }
}

/** Answers a change: its status, its ETag and its body. */
export function sendDeskReply(reply: FastifyReply, { status, body, etag }: DeskReply): FastifyReply {
  if (etag !== null) reply.header('ETag', etag)
  return reply.code(status).send(body)
}

function contentHash(content: unknown): string {
  return sha256(content instanceof Uint8Array ? content : JSON.stringify(content ?? null))
}
