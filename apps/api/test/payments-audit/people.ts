import type { LightMyRequestResponse } from 'fastify'
import type { MembershipCall } from '../membership.ts'
import type { AuditedSite } from './audited-site.ts'
import type { Agreement, Announcement, MailFact } from './facts.ts'

/** A member, what they have open and were told, and all that they and the merchant did. */
export type Person = {
  name: string
  memberId: string
  /** The current one first. */
  addresses: string[]
  password: string
  /** The ids at Stripe; empty before the first checkout. */
  customerIds: Set<string>
  /** In seconds; null while the account exists. */
  deletedAt: number | null
  /** Open checkouts. */
  pages: string[]
  agreements: Agreement[]
  announcements: Announcement[]
  mails: MailFact[]
  history: string[]
}

/** One of the two browser tabs of a member, each with its own process of the API. */
export type Tab = {
  person: Person
  name: string
  call(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: MembershipCall['body'],
  ): Promise<LightMyRequestResponse>
}

/** Signs up a member. */
export async function signUp(at: AuditedSite, name: string): Promise<Person> {
  const email = `${name}@example.com`
  const { memberId, password } = await at.members.signUp({ email })
  const empty = { deletedAt: null, pages: [], agreements: [], announcements: [], mails: [], history: [] }
  return { name, memberId, password, addresses: [email], customerIds: new Set(), ...empty }
}

/** Logs a member in, with a tab on each process of the API. Rejects if the account is deleted. */
export async function openTabs(at: AuditedSite, person: Person): Promise<Tab[]> {
  const { addresses, password } = person
  const headers = at.members.headersOf(await at.members.logIn({ email: addresses[0] ?? '', password }))
  return at.processes.map(({ name, call }) => ({
    person,
    name,
    call: (method, url, body) => call(method, url, { headers, ...(body === undefined ? {} : { body }) }),
  }))
}
