import { describe, expect, it } from 'vitest'
import type { MembershipClient, Reply } from '../index.ts'
import type { Send } from '../request.ts'
import { createSessionStore, type SessionStore } from '../session-store.ts'
import { answer, apiBase, type ReplySchema, refused, reply } from './fake-api.ts'
import { loggedInClient } from './test-client.ts'

/** One call: what it sends, and what it answers. */
export type CallRow = {
  act: (client: MembershipClient) => Promise<Reply<unknown>>
  line: string
  /** What is sent, and the contract that it has to pass; neither for a call without a body. */
  sent?: { body: object; schema?: { parse: (body: unknown) => unknown } }
  /** What the server answers. */
  schema: ReplySchema
  data: unknown
  message?: string
}

/** What the makers of calls are given; each takes of it what it needs. */
type CallDeps = {
  send: Send
  session: SessionStore
  settings: { apiBase: string; publicKey: string; appId: string | undefined; popupTimeoutMs: number }
}

/**
 * Drives calls by a table, whose names begin with the method's. Every method of the file has to be in it, but for those
 * of `besides`, which have tests of their own.
 */
export function describeCalls(
  create: (deps: CallDeps) => object,
  rows: Record<string, CallRow>,
  besides: readonly string[] = [],
): void {
  describe(create.name, () => {
    it('makes no method that is left out here', () => {
      const driven = Object.keys(rows).map((name) => name.split(' ')[0])
      expect(Object.keys(create(unused())).toSorted()).toEqual(
        [...new Set([...driven, ...besides])].toSorted(),
      )
    })
  })

  describe.each(Object.entries(rows))('%s', (_, { act, line, sent, schema, data, message }) => {
    it('sends what the protocol asks for, and answers data and message', async () => {
      const client = await loggedInClient()
      const calls = answer(reply(schema, data, message))
      const answered = await act(client)
      expect(calls.map((call) => call.line)).toEqual([line])
      expect(calls[0]?.body).toEqual(sent?.body ?? null)
      expect(() => sent?.schema?.parse(calls[0]?.body)).not.toThrow()
      expect(calls[0]?.headers.get('authorization')).toBe('Bearer token-of-ada')
      expect(answered).toEqual(message === undefined ? { data } : { data, message })
    })

    it('rejects with the server’s serverError', async () => {
      const client = await loggedInClient()
      answer(refused(403, 'access-denied', 'That is not for you.'))
      await expect(act(client)).rejects.toMatchObject({
        name: 'MembershipError',
        code: 'access-denied',
        message: 'That is not for you.',
        status: 403,
      })
      expect(client.getMemberToken()).toBe('token-of-ada')
    })
  })
}

function unused(): CallDeps {
  const session = createSessionStore({ useCookies: false, keys: {} })
  session.close()
  const send: Send = () => Promise.reject(new Error('Nothing is sent here'))
  return { send, session, settings: { apiBase, publicKey: 'pk_test', appId: undefined, popupTimeoutMs: 1 } }
}
