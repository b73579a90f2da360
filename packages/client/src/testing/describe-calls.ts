import { describe, expect, it } from 'vitest'
import type { Send } from '../calls/request.ts'
import type { MembershipClient, Reply } from '../index.ts'
import { createSessionStore, type SessionStore } from '../session/session-store.ts'
import { apiBase, refused, reply, respondWith } from './fake-api.ts'
import { loggedInClient } from './test-client.ts'

/** A call with its request and response. */
export type CallRow = {
  act: (client: MembershipClient) => Promise<Reply<unknown>>
  line: string
  /** Missing for a call without a body. */
  body?: object
  data: unknown
  message?: string
}

type CallDeps = {
  send: Send
  session: SessionStore
  settings: { apiBase: string; publicKey: string; appId: string | undefined; popupTimeoutMs: number }
}

/**
 * Tests calls by a table whose names start with the method's. It must contain every method except those of `others`, which
 * have their own tests.
 */
export function describeCalls(
  create: (deps: CallDeps) => object,
  rows: Record<string, CallRow>,
  others: readonly string[] = [],
): void {
  describe(create.name, () => {
    it('has all methods in this table', () => {
      const tested = Object.keys(rows).map((name) => name.split(' ')[0])
      expect(Object.keys(create(unused())).toSorted()).toEqual(
        [...new Set([...tested, ...others])].toSorted(),
      )
    })
  })

  describe.each(Object.entries(rows))('%s', (_, { act, line, body = null, data, message }) => {
    it('sends the request and returns data and message', async () => {
      const client = await loggedInClient()
      const calls = respondWith(reply(data, message))
      const response = await act(client)
      expect(calls.map((call) => call.line)).toEqual([line])
      expect(calls[0]?.body).toEqual(body)
      expect(calls[0]?.headers.get('authorization')).toBe('Bearer token-of-ada')
      expect(response).toEqual(message === undefined ? { data } : { data, message })
    })

    it('rejects with the server’s error', async () => {
      const client = await loggedInClient()
      respondWith(refused(403, 'access-denied', 'That is not for you.'))
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
  const send: Send = () => Promise.reject(new Error('This test sends nothing'))
  return { send, session, settings: { apiBase, publicKey: 'pk_test', appId: undefined, popupTimeoutMs: 1 } }
}
