import type { FastifyRequest } from 'fastify'
import { sha256 } from '#platform/ids.ts'
import { fail } from '../desk.errors.ts'
import type { Editor } from '../keys/editor-keys.service.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify's own interface is extended.
  interface FastifyRequest {
    editor: Editor | null
  }
}

/** The editor who requests a change, with their Idempotency-Key and a hash of the request that it stands for. */
export type Requester = { editor: Editor; idempotency: { key: string; requestHash: string } | null }

/** Returns the editor whom the access check found. */
export function editorOf(request: FastifyRequest): Editor {
  if (request.editor !== null) return request.editor
  throw new Error('A desk route was called without the access check')
}

/** Returns the requester of a change; `content` is the body or upload that the request hash covers. */
export function requesterOf(request: FastifyRequest, content: unknown): Requester {
  const editor = editorOf(request)
  const header = request.headers['idempotency-key']
  if (header === undefined || request.method !== 'POST') return { editor, idempotency: null }
  const key = String(header)
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw fail('invalid-request', 'Idempotency-Key takes 1 to 200 visible ASCII characters without spaces.')
  }
  const contentHash = sha256(content instanceof Uint8Array ? content : JSON.stringify(content ?? null))
  return {
    editor,
    idempotency: { key, requestHash: sha256(`${request.method} ${request.url}\n${contentHash}`) },
  }
}
