import type { PasskeyAssertion } from '@tidings/contracts/desk/people/passkeys'
import { limits } from '@tidings/contracts/limits'
import { deviceName } from '@tidings/contracts/membership/device-name'
import { parseEmailAddress } from '@tidings/contracts/membership/email-address'
import { recordChange } from '#features/desk/index.ts'
import type { Db } from '#platform/database.ts'
import { hasCode } from '#platform/errors.ts'
import type { PasskeyService } from '../passkeys/passkeys.service.ts'
import type { PeopleDeps } from '../people.deps.ts'
import { fail } from '../people.errors.ts'
import { findPerson, findPersonByEmail } from '../people.repository.ts'
import type { DeskSessionService, SignedIn } from '../sessions/sessions.service.ts'
import { createSignedLinks } from '../signed-links.ts'
import { sendSignInLink } from './sign-in.jobs.ts'
import { claimLink, createLink, findLink, markLinkSent, removeOldLinks } from './sign-in-links.repository.ts'

type Deps = PeopleDeps & { passkeys: PasskeyService; deskSessions: DeskSessionService }

export type SignInService = ReturnType<typeof createSignInService>

const dayMs = 24 * 3_600_000
// As long as links are kept.
const commandLinkMs = dayMs
const linkMs = limits.signInLinkMinutes * 60_000

/** Signs people in with a passkey, or with a link by email. */
export function createSignInService(deps: Deps) {
  const { database, clock, ids, jobs, apps, emails, rateLimits, passkeys, deskSessions } = deps
  const links = createSignedLinks('sign-in', deps)
  const commandLinks = createSignedLinks('sign-in', deps, 'desk sign-in link by command')
  const createdAfter = (ms = linkMs) => new Date(clock.now().getTime() - ms)

  /** Returns the link behind a token, and after which time it must have been made. */
  function read(token: string): { id: string; createdAfter: Date } | null {
    const id = links.idIn(token)
    if (id !== null) return { id, createdAfter: createdAfter() }
    const byCommand = commandLinks.idIn(token)
    return byCommand === null ? null : { id: byCommand, createdAfter: createdAfter(commandLinkMs) }
  }

  return {
    requestOptions: () => passkeys.requestOptions('sign-in', null),

    async withPasskey(response: PasskeyAssertion, device: string): Promise<SignedIn> {
      const { personId } = await passkeys.verify('sign-in', response)
      return await database.transaction(async (tx) => {
        if ((await findPerson(tx, personId)) === null) throw fail('passkey-refused')
        return await startSession(tx, deskSessions, { by: 'passkey', personId, device, isProved: true })
      })
    },

    /**
     * Does the same for every address: a job looks up whether someone has it. Throws `invalid-email`. Past the limit of
     * an address nothing is sent, and the reply is the same.
     */
    async requestLink(typed: string): Promise<void> {
      const email = parseEmailAddress(typed)
      if (email === null) throw fail('invalid-email')
      try {
        await rateLimits.consume('deskLinks', `desk ${email}`)
      } catch (error) {
        if (hasCode(error, 'too-many-requests')) return
        throw error
      }
      const linkId = ids.uuid()
      await database.transaction(async (tx) => {
        await createLink(tx, { id: linkId, email, createdAt: clock.now() })
        await jobs.enqueue(tx, sendSignInLink, { linkId })
      })
    },

    /** Emails a requested link, unless its address is unknown or the link is over. */
    async sendLink(linkId: string): Promise<void> {
      const row = await findLink(database.db, linkId)
      if (row === null || row.sentAt !== null || row.createdAt <= createdAfter()) return
      if ((await findPersonByEmail(database.db, row.email)) === null) return
      const envelope = { app: await apps.siteApp(), to: row.email, messageId: `desk-link-${linkId}` }
      const link = links.urlOf(linkId)
      await emails.sendCode(envelope, { kind: 'desk-sign-in', link, minutes: limits.signInLinkMinutes })
      await markLinkSent(database.db, linkId, clock.now())
    },

    /** Makes a link for an operator, who has access to the database anyway. Throws `person-not-found`. */
    async linkByCommand(email: string): Promise<{ url: string; expiresAt: Date }> {
      if ((await findPersonByEmail(database.db, email)) === null) throw fail('person-not-found')
      const [id, now] = [ids.uuid(), clock.now()]
      await createLink(database.db, { id, email, createdAt: now })
      return { url: commandLinks.urlOf(id), expiresAt: new Date(now.getTime() + commandLinkMs) }
    },

    /** Returns who signs in with a link, without using it up: mail scanners open links. Throws `sign-in-link-ended`. */
    async look(token: string): Promise<{ email: string }> {
      const link = read(token)
      const row = link === null ? null : await findLink(database.db, link.id)
      const isOpen = row !== null && link !== null && row.usedAt === null && row.createdAt > link.createdAfter
      if (!isOpen || (await findPersonByEmail(database.db, row.email)) === null)
        throw fail('sign-in-link-ended')
      return { email: row.email }
    },

    /** Signs in with a link. Throws `sign-in-link-ended`. It proves the person only where there is no passkey. */
    async withLink(token: string, device: string): Promise<SignedIn> {
      const link = read(token)
      if (link === null) throw fail('sign-in-link-ended')
      return await database.transaction(async (tx) => {
        const row = await claimLink(tx, link.id, { now: clock.now(), createdAfter: link.createdAfter })
        const person = row === null ? null : await findPersonByEmail(tx, row.email)
        if (person === null) throw fail('sign-in-link-ended')
        const isProved = (await passkeys.proofOf(tx, person.id)) === 'link'
        return await startSession(tx, deskSessions, { by: 'link', personId: person.id, device, isProved })
      })
    },

    async removeOld(): Promise<void> {
      const dayAgo = new Date(clock.now().getTime() - dayMs)
      await removeOldLinks(database.db, dayAgo)
    },
  }
}

/** Starts a session, with its audit entry: an owner sees sign-ins that were not expected. */
async function startSession(
  tx: Db,
  deskSessions: DeskSessionService,
  { by, ...session }: { by: 'passkey' | 'link'; personId: string; device: string; isProved: boolean },
): Promise<SignedIn> {
  const { personId: id, device } = session
  const details = { by, device: deviceName(device) }
  await recordChange(tx, { editor: { kind: 'person', id }, action: 'person.sign-in', subject: id, details })
  return await deskSessions.start(tx, session)
}
