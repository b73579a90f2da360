import { createArticle, type DeskArticle } from '@tidings/contracts/desk/articles'
import { type AuditEntry, listChanges } from '@tidings/contracts/desk/audit'
import { createContentGroup, type DeskContentGroup } from '@tidings/contracts/desk/content/content-groups'
import { type DeskSecureContent, putSecureContent } from '@tidings/contracts/desk/content/secure-content'
import type { EditorScope } from '@tidings/contracts/desk/desk'
import { type DeskEdition, getEdition, publishEdition } from '@tidings/contracts/desk/editions'
import { addMemo, type DeskMemo, getMemo } from '@tidings/contracts/desk/memos'
import { fillPath, type Input, type Route } from '@tidings/contracts/endpoint'
import { errorReply } from '@tidings/contracts/errors'
import type { LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import { draftEdition } from './factories/editions.ts'
import type { TestApp } from './test-app.ts'

type Method = Route['method']
/** An endpoint whose reply has data. */
type Replying<Data> = Route & { reply: z.ZodType<{ data: Data }> }

/** The input of a call, and the status of its reply. */
type Expected = Input & { status?: number }

export type DeskCall = {
  body?: unknown
  ifMatch?: string
  /** The Idempotency-Key. */
  key?: string
  /** The Authorization header; by default, the editor with every scope. */
  as?: string
  headers?: Record<string, string>
}

/** Calls `/desk/v1` as an editor and parses the responses with the contract. */
export type TestDesk = ReturnType<typeof createTestDesk>

/** Creates a desk over `inject`. Paths are relative to `/desk/v1`. */
export function createTestDesk({ app, context, editor }: Pick<TestApp, 'app' | 'context' | 'editor'>) {
  let keysMade = 0
  let groupsMade = 0
  let draftsMade = 0

  async function inject(method: Method, url: string, options: DeskCall): Promise<LightMyRequestResponse> {
    const { body, ifMatch, key, as = editor, headers = {} } = options
    return await app.inject({
      method,
      url,
      headers: {
        ...(as === '' ? {} : { authorization: as }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
  }

  /** Calls an endpoint. Returns the data of its reply, which must have this status. */
  async function send<Data>(at: Replying<Data>, { status = 200, ...input }: Expected): Promise<Data> {
    const response = await inject(at.method, fillPath(at.path, input), { body: input.body })
    if (response.statusCode === status) return at.reply.parse(response.json()).data
    throw new Error(`${status} was expected, not ${response.statusCode}: ${response.body}`)
  }

  return {
    call: (method: Method, path: string, options: DeskCall = {}) =>
      inject(method, `/desk/v1${path}`, options),
    /** Stores a draft with memos of these titles, without an audit entry. */
    async draft(key: string, titles: readonly string[] = []): Promise<DeskEdition> {
      await draftEdition(context, key, titles)
      return await this.read(key)
    },
    /** Stores a draft at an unused key with memos of these titles. Returns the key and the memo ids. */
    async newDraft(titles: readonly string[] = []): Promise<{ key: string; ids: string[] }> {
      draftsMade += 1
      const day = String((draftsMade % 28) + 1).padStart(2, '0')
      const key = `01-${day}-${40 + Math.floor(draftsMade / 28)}-10AM`
      const { memos } = await draftEdition(context, key, titles)
      return { key, ids: memos.map(({ id }) => id) }
    },
    addMemo(key: string, draft: Record<string, unknown> = {}): Promise<DeskMemo> {
      const body = { title: 'A memo', memo_content: '<p>News.</p>', ...draft }
      return send(addMemo, { params: { key }, body, status: 201 })
    },
    read: (key: string): Promise<DeskEdition> => send(getEdition, { params: { key } }),
    readMemo: (id: string): Promise<DeskMemo> => send(getMemo, { params: { id } }),
    /** Returns the titles in order, each with its position: `1 First`. */
    async places(key: string): Promise<string[]> {
      const { memos } = await this.read(key)
      return memos.map(({ position, title }) => `${position} ${title}`)
    },
    publish: (key: string): Promise<DeskEdition> => send(publishEdition, { params: { key } }),
    addArticle(draft: Record<string, unknown> = {}): Promise<DeskArticle> {
      const body = { title: 'An article', memo_content: '<p>Long.</p>', ...draft }
      return send(createArticle, { body, status: 201 })
    },
    addGroup(draft: Record<string, unknown> = {}): Promise<DeskContentGroup> {
      groupsMade += 1
      const body = { key: `group-${groupsMade}`, name: 'A group', ...draft }
      return send(createContentGroup, { body, status: 201 })
    },
    addContent(contentId: string, draft: Record<string, unknown> = {}): Promise<DeskSecureContent> {
      const body = { type: 'TEXT', content: 'For members.', ...draft }
      return send(putSecureContent, { params: { contentId }, body, status: 201 })
    },
    /** Returns the audit log of a subject, oldest first. */
    async auditOf(subject: string): Promise<AuditEntry[]> {
      return (await send(listChanges, { query: { subject, limit: 200 } })).reverse()
    },
    /** Creates a key with these scopes. Returns its Authorization header and name. */
    async keyWith(...scopes: EditorScope[]): Promise<{ as: string; name: string }> {
      keysMade += 1
      const name = `${scopes.join('-')}-${keysMade}`
      return { as: `Bearer ${await context.editorKeys.create(name, scopes)}`, name }
    },
  }
}

/** Returns the status, code and message of an error response, which must have exactly that shape. */
export function refusalOf(reply: LightMyRequestResponse): { status: number; code: string; message: string } {
  return { status: reply.statusCode, ...z.strictObject(errorReply.shape).parse(reply.json()).error }
}
