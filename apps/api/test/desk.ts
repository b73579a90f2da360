import { type DeskArticle, deskArticle } from '@tidings/contracts/desk/articles'
import { type AuditEntry, auditEntry } from '@tidings/contracts/desk/audit'
import { type DeskContentGroup, deskContentGroup } from '@tidings/contracts/desk/content-groups'
import type { EditorScope } from '@tidings/contracts/desk/desk'
import { type DeskEdition, type DeskMemo, deskEdition, deskMemo } from '@tidings/contracts/desk/editions'
import { type DeskSecureContent, deskSecureContent } from '@tidings/contracts/desk/secure-content'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { errorReply } from '@tidings/contracts/errors'
import type { LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import { draftEdition } from './factories/editions.ts'
import type { TestApp } from './test-app.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

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

  async function call(method: Method, path: string, options: DeskCall = {}): Promise<LightMyRequestResponse> {
    const { body, ifMatch, key, as = editor, headers = {} } = options
    return await app.inject({
      method,
      url: `/desk/v1${path}`,
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

  return {
    call,
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
    async addMemo(key: string, draft: Record<string, unknown> = {}): Promise<DeskMemo> {
      const body = { title: 'A memo', memo_content: '<p>News.</p>', ...draft }
      const reply = expectStatus(await call('POST', `/editions/${key}/memos`, { body }), 201)
      return dataOf(deskMemo).parse(reply.json()).data
    },
    async read(key: string): Promise<DeskEdition> {
      const reply = expectStatus(await call('GET', `/editions/${key}`), 200)
      return dataOf(deskEdition).parse(reply.json()).data
    },
    async readMemo(id: string): Promise<DeskMemo> {
      const reply = expectStatus(await call('GET', `/memos/${id}`), 200)
      return dataOf(deskMemo).parse(reply.json()).data
    },
    /** Returns the titles in order, each with its position: `1 First`. */
    async places(key: string): Promise<string[]> {
      const { memos } = await this.read(key)
      return memos.map(({ position, title }) => `${position} ${title}`)
    },
    async publish(key: string): Promise<DeskEdition> {
      const reply = expectStatus(await call('POST', `/editions/${key}/publish`), 200)
      return dataOf(deskEdition).parse(reply.json()).data
    },
    async addArticle(draft: Record<string, unknown> = {}): Promise<DeskArticle> {
      const body = { title: 'An article', memo_content: '<p>Long.</p>', ...draft }
      const reply = expectStatus(await call('POST', '/articles', { body }), 201)
      return dataOf(deskArticle).parse(reply.json()).data
    },
    async addGroup(draft: Record<string, unknown> = {}): Promise<DeskContentGroup> {
      groupsMade += 1
      const body = { key: `group-${groupsMade}`, name: 'A group', ...draft }
      const reply = expectStatus(await call('POST', '/content-groups', { body }), 201)
      return dataOf(deskContentGroup).parse(reply.json()).data
    },
    async addContent(contentId: string, draft: Record<string, unknown> = {}): Promise<DeskSecureContent> {
      const body = { type: 'TEXT', content: 'For members.', ...draft }
      const reply = expectStatus(await call('PUT', `/secure-content/${contentId}`, { body }), 201)
      return dataOf(deskSecureContent).parse(reply.json()).data
    },
    /** Returns the audit log of a subject, oldest first. */
    async auditOf(subject: string): Promise<AuditEntry[]> {
      const reply = expectStatus(await call('GET', `/audit?subject=${subject}&limit=200`), 200)
      return pageOf(auditEntry).parse(reply.json()).data.reverse()
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

function expectStatus(reply: LightMyRequestResponse, status: number): LightMyRequestResponse {
  if (reply.statusCode === status) return reply
  throw new Error(`${status} was expected, not ${reply.statusCode}: ${reply.body}`)
}
