import type { DeskRole } from '@tidings/contracts/desk/desk'
import { type You, you } from '@tidings/contracts/desk/people/you'
import type { LightMyRequestResponse } from 'fastify'
import { z } from 'zod'
import type { ReceivedMail } from '../mail/inbox.ts'
import type { TestApp } from '../test-app.ts'
import { type Authenticator, type Ceremony, createAuthenticator } from './authenticator.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type PersonCall = { body?: unknown; headers?: Record<string, string> }

/** A person at the desk: their authenticator, and the cookie of their session. */
export type TestPerson = { id: string; email: string; cookie: string; authenticator: Authenticator }

const optionsReply = z.object({ data: z.looseObject({ challenge: z.string() }) })
const youReply = z.object({ data: you })

/** Signs people in at the desk of a site, as the browser does. */
export function createTestPeople({ app, context }: Pick<TestApp, 'app' | 'context'>) {
  const { passkeys } = context.deskSite
  const [origin = ''] = passkeys.origins
  let invited = 0
  /** The right work of the browser and the authenticator. */
  const right: Ceremony = { origin, rpId: passkeys.rpId }

  async function call(
    method: Method,
    path: string,
    { body, headers = {} }: PersonCall = {},
    cookie = '',
  ): Promise<LightMyRequestResponse> {
    return await app.inject({
      method,
      url: `/desk/v1${path}`,
      headers: {
        ...(method !== 'GET' && { origin, 'x-desk': '1' }),
        ...(cookie !== '' && { cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
  }

  async function challengeFrom(path: string, body?: unknown, cookie = ''): Promise<string> {
    const reply = await call('POST', path, { body }, cookie)
    if (reply.statusCode !== 200) throw new Error(`200 was expected: ${reply.statusCode} ${reply.body}`)
    return optionsReply.parse(reply.json()).data.challenge
  }

  /** Makes an invitation by command. Returns its token. */
  async function inviteWith(email: string, roles: readonly DeskRole[]): Promise<string> {
    const { url } = await context.invitations.inviteByCommand({ email, roles })
    return new URL(url).pathname.replace('/desk/invitation/', '')
  }

  async function accept(
    token: string,
    name: string,
    authenticator = createAuthenticator(),
    ceremony = right,
  ): Promise<LightMyRequestResponse> {
    const path = `/invitation-links/${token}`
    const challenge = await challengeFrom(`${path}/options`, { name })
    return await call('POST', path, { body: { name, response: authenticator.create(challenge, ceremony) } })
  }

  return {
    origin,
    right,
    call,
    challengeFrom,
    inviteWith,
    accept,
    /** Adds a person with roles, who is signed in and has proved so. */
    async add(...roles: DeskRole[]): Promise<TestPerson> {
      invited += 1
      const email = `${roles.join('-')}-${invited}@example.com`
      return await this.join(await inviteWith(email, roles), `Person ${invited}`)
    },
    async join(token: string, name: string): Promise<TestPerson> {
      const authenticator = createAuthenticator()
      const reply = await accept(token, name, authenticator)
      if (reply.statusCode !== 201) throw new Error(`201 was expected: ${reply.statusCode} ${reply.body}`)
      const { id, email } = youReply.parse(reply.json()).data
      return { id, email, cookie: cookieOf(reply), authenticator }
    },
    /** Calls the desk as a person. */
    as: async (person: TestPerson, method: Method, path: string, options: PersonCall = {}) =>
      await call(method, path, options, person.cookie),
    /** Signs a person in on another device. */
    async signIn({ authenticator }: TestPerson, ceremony = right): Promise<LightMyRequestResponse> {
      const challenge = await challengeFrom('/sign-in/options')
      return await call('POST', '/sign-in', { body: { response: authenticator.sign(challenge, ceremony) } })
    },
    /** Proves a person by their passkey. */
    async prove({ authenticator, cookie }: TestPerson): Promise<LightMyRequestResponse> {
      const challenge = await challengeFrom('/you/proof/options', undefined, cookie)
      const body = { response: authenticator.sign(challenge, right) }
      return await call('POST', '/you/proof', { body }, cookie)
    },
    async you({ cookie }: Pick<TestPerson, 'cookie'>): Promise<You> {
      const reply = await call('GET', '/you', {}, cookie)
      return youReply.parse(reply.json()).data
    },
  }
}

/** Returns the session's cookie of a reply, as a Cookie header. */
export function cookieOf(reply: LightMyRequestResponse): string {
  const [cookie = ''] = [reply.headers['set-cookie']].flat()
  return /^tidings_desk=[\w-]+/.exec(cookie ?? '')?.[0] ?? ''
}

/** Returns the path of the desk's link in an email. */
export function deskPathIn({ text }: Pick<ReceivedMail, 'text'>): string {
  const link = /\bhttps?:\/\/\S+\/desk\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`There is no link in: ${text}`)
  return new URL(link).pathname
}

/** Returns the path of the API for the sign-in link in an email. */
export function signInPathIn(mail: Pick<ReceivedMail, 'text'>): string {
  return deskPathIn(mail).replace('/desk/sign-in/', '/sign-in-links/')
}
