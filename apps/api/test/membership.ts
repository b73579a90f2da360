import { login, type MemberSession, sessionReply, signUp } from '@tidings/contracts/membership/auth'
import type { LightMyRequestResponse } from 'fastify'
import type { TestApp } from './test-app.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export type MembershipCall = {
  body?: unknown
  headers?: Record<string, string>
  /** The IP address that the call comes from. */
  from?: string
}

/** A member with a session. */
export type TestMember = {
  email: string
  password: string
  memberId: string
  token: string
  /** The headers that the member's client sends. */
  headers: Record<string, string>
}

export type TestMembers = ReturnType<typeof createTestMembers>

const testPassword = 'a-long-password'
let membersMade = 0

/** Calls the membership protocol as a client does, and creates members through it. */
export function createTestMembers({ app, context }: Pick<TestApp, 'app' | 'context'>) {
  const { appId, appPublicKey } = context.config.site
  const visitor = { 'x-api-key': appPublicKey, 'x-app-id': appId }

  async function call(
    method: Method,
    url: string,
    { body, headers = visitor, from }: MembershipCall = {},
  ): Promise<LightMyRequestResponse> {
    return await app.inject({
      method,
      url,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      ...(from === undefined ? {} : { remoteAddress: from }),
    })
  }

  function headersOf(session: MemberSession): Record<string, string> {
    return { ...visitor, authorization: `Bearer ${session.tokens.accessToken}` }
  }

  return {
    /** The headers of a visitor. */
    visitor,
    call,
    headersOf,
    /** Signs up with a password and returns the logged-in member. */
    async signUp(
      options: {
        email?: string
        password?: string
        customFields?: object
        plans?: { planId: string }[]
      } = {},
    ): Promise<TestMember> {
      membersMade += 1
      const { email = `member-${membersMade}@example.com`, password = testPassword, ...rest } = options
      const reply = await call(signUp.method, signUp.path, { body: { email, password, ...rest } })
      const session = readSession(reply)
      const { accessToken: token } = session.tokens
      return { email, password, memberId: session.member.id, token, headers: headersOf(session) }
    },
    /** Logs in with a password. */
    async logIn(credentials: { email: string; password?: string }): Promise<MemberSession> {
      const body = { password: testPassword, ...credentials }
      return readSession(await call(login.method, login.path, { body }))
    },
  }
}

/** Returns the session in a reply. Throws without one. */
export function readSession(reply: LightMyRequestResponse): MemberSession {
  if (reply.statusCode !== 200)
    throw new Error(`A session was expected, not ${reply.statusCode}: ${reply.body}`)
  return sessionReply.parse(reply.json()).data
}
