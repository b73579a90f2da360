import { test as base, expect, inject, onTestFinished, vi } from 'vitest'
import { createMembershipClient, type MembershipClient } from '../index.ts'

type Refusal = { code: string; status: number }
type SignUp = Partial<Parameters<MembershipClient['signupMemberEmailPassword']>[0]>

/** The client of a visitor of the running site. */
export type Guest = ReturnType<typeof createGuest>

let nameCount = 0

/** Returns an unused name: each worker is a process of its own. */
export function freshName(): string {
  nameCount += 1
  return `node-${process.pid}-${nameCount}`
}

/** Returns an unused email address. */
export function freshAddress(): string {
  return `${freshName()}@guest.example`
}

/** Creates a client of the running site; its session stays in memory. */
export function createGuest({ publicKey }: { publicKey?: string } = {}) {
  const site = inject('site')
  // The client names its page in requests; this page's origin is one of the app's.
  vi.stubGlobal('location', new URL('/account', site.guestOrigin))
  const client = createMembershipClient({ apiBase: site.url, publicKey: publicKey ?? site.publicKey })
  onTestFinished(client.destroy)
  const changes: (string | null)[] = []
  client.onAuthChange((member) => changes.push(member?.auth.email ?? null))

  return {
    client,
    /** The auth changes so far: email addresses, or null after a logout. */
    changes,
    /** Signs up with a new account. */
    async signUp(more: SignUp = {}) {
      const email = freshAddress()
      const password = 'a long password'
      const { data } = await client.signupMemberEmailPassword({ email, password, ...more })
      return { email, password, member: data.member }
    },
    /** Returns the logged-in member, or null. */
    member: async () => (await client.getCurrentMember()).data,
  }
}

/** Expects the server to refuse a call with this code and status, and a message for people. */
export async function expectRefusal(call: Promise<unknown>, refusal: Refusal): Promise<void> {
  const message = expect.stringMatching(/\w/)
  await expect(call).rejects.toMatchObject({ name: 'MembershipError', ...refusal, message })
}

/** A test with a visitor of the running site. */
export const it = base.extend<{ guest: Guest }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from the pattern
  async guest({}, provide) {
    await provide(createGuest())
  },
})
