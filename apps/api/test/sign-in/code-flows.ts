import type { LightMyRequestResponse } from 'fastify'
import { vi } from 'vitest'
import { z } from 'zod'
import { queryRows } from '#platform/query-rows.ts'
import { codeIn, type InboxReader, type ReceivedMail } from '../mail/inbox.ts'
import { createTestMembers, type TestMember } from '../membership.ts'
import type { TestApp } from '../test-app.ts'
import { waitOptions } from '../wait-options.ts'

/** Each purpose's lifetime and error code, and the name and the words by which a test finds its email. */
export const codeKinds = {
  reset: {
    minutes: 60,
    refusal: 'invalid-reset-code',
    name: 'password reset code',
    words: 'Your password reset code',
  },
  login: {
    minutes: 10,
    refusal: 'invalid-passwordless-login-code',
    name: 'login code',
    words: 'Your login code',
  },
  signup: {
    minutes: 10,
    refusal: 'invalid-passwordless-login-code',
    name: 'sign-up code',
    words: 'Your sign-up code',
  },
  verification: {
    minutes: 10,
    refusal: 'invalid-verification-code',
    name: 'confirmation code',
    words: 'Confirm your email address',
  },
} as const
export type CodePurpose = keyof typeof codeKinds
export const codePurposes = ['reset', 'login', 'signup', 'verification'] as const

export const newPassword = 'another-long-password'

type From = { from?: string; headers?: Record<string, string> }
export type CodeFlows = ReturnType<typeof createCodeFlows>

/** Requests codes, reads them in the emails and uses them, as members do. */
export function createCodeFlows(site: TestApp, inbox: InboxReader) {
  const members = createTestMembers(site)
  const known = new Map<string, TestMember>()

  /** Returns the member with this address, who signs up at the first call. */
  async function memberOf(email: string): Promise<TestMember> {
    const member = known.get(email) ?? (await members.signUp({ email }))
    known.set(email, member)
    return member
  }

  /** Moves the clock, so that of two requests one is always later. */
  function pass(seconds: number): void {
    site.clock.pass(seconds * 1000)
  }

  /** Requests a code; the address needs no account. */
  async function ask(purpose: CodePurpose, email: string, from: From = {}): Promise<LightMyRequestResponse> {
    pass(1)
    switch (purpose) {
      case 'reset':
        return await members.call('POST', '/auth/send-reset-password-email', { body: { email }, ...from })
      case 'verification': {
        const { headers } = await memberOf(email)
        return await members.call('POST', '/auth/send-email-verification', { headers, ...from })
      }
      default:
        return await members.call('POST', `/auth/passwordless/${purpose}/send`, { body: { email }, ...from })
    }
  }

  /** Requests a code and returns its email. */
  async function mail(purpose: CodePurpose, email: string, from: From = {}): Promise<ReceivedMail> {
    if (purpose !== 'signup') await memberOf(email)
    const { words } = codeKinds[purpose]
    if (purpose === 'verification') await inbox.mailTo(email, words)
    const before = await inbox.mailsTo(email, words)
    const reply = await ask(purpose, email, from)
    if (reply.statusCode !== 200) throw new Error(`The code was not requested: ${reply.body}`)
    return await inbox.mailTo(email, words, before.length + 1)
  }

  return {
    members,
    memberOf,
    pass,
    ask,
    mail,
    /** Requests a code and returns its digits. */
    async code(purpose: CodePurpose, email: string, from: From = {}): Promise<string> {
      return codeIn(await mail(purpose, email, from))
    },
    /** Uses a code for its purpose. */
    async use(
      purpose: CodePurpose,
      email: string,
      code: string,
      from: From = {},
    ): Promise<LightMyRequestResponse> {
      switch (purpose) {
        case 'reset':
          return await members.call('POST', '/auth/reset-password', {
            body: { token: code, newPassword, email },
            ...from,
          })
        case 'login':
          return await members.call('POST', '/auth/passwordless/login', {
            body: { email, passwordlessToken: code },
            ...from,
          })
        case 'signup':
          return await members.call('POST', '/auth/signup?isPasswordless=true', {
            body: { email, passwordlessToken: code },
            ...from,
          })
        case 'verification':
          return await members.call('POST', '/auth/verify-email', {
            body: { email, code, newPassword },
            headers: known.get(email)?.headers ?? members.visitor,
            ...from,
          })
      }
    },
    /** Resolves when every email was sent or given up. */
    async mailed(): Promise<void> {
      await vi.waitFor(async () => {
        const [row] = await queryRows(site.context.database.db, z.object({ open: z.bigint() }))`
            SELECT count(*) AS open FROM jobs.job
            WHERE name IN ('auth.send-code', 'mail.send-email') AND state IN ('created', 'retry', 'active')`
        if (row?.open !== 0n) throw new Error(`${row?.open} emails are still to be sent`)
      }, waitOptions)
    },
  }
}

/** Returns six digits that are not these. */
export function otherCode(code: string, distance = 1): string {
  return String((Number(code) + distance) % 1_000_000).padStart(6, '0')
}
