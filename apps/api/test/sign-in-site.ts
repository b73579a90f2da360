import { type MemberSession, sessionReply } from '@tidings/contracts/auth'
import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { z } from 'zod'
import { createCapturedLog } from './captured-log.ts'
import { addApp } from './factories/membership-apps.ts'
import { openFrontDoor } from './front-door.ts'
import { type InboxReader, mailsAt, readInbox } from './inbox.ts'
import { createTestMembers, type TestMember, type TestMembers } from './membership.ts'
import { createPopupBrowser, type PopupBrowser, type PopupEnd, type PopupQuery } from './popups.ts'
import { startTestApp, type TestApp, testNow } from './test-app.ts'
import { createTestDatabase } from './test-database.ts'

/** An app beside the site's own, which offers the local provider alone. */
export const otherApp = {
  appId: 'app_other',
  publicKey: 'pk_other',
  origin: 'elsewhere.example',
} as const

/** The site, listening, with the stand-ins of its identity providers and of its mail server. */
export type SignInSite = {
  site: TestApp
  members: TestMembers
  emulators: Emulators
  inbox: InboxReader
  /** What a client of the site's app on https://reader.example sends. */
  query(provider: string, more?: PopupQuery): PopupQuery
  browser(): PopupBrowser
  /** Signs up with a password and, unless said otherwise, has proved the address. */
  member(email: string, proved?: { verified: boolean }): Promise<TestMember>
  /** How the accounts of an address stand in the database: at most one, with its ways in. */
  accountsOf(email: string): Promise<{ id: string; verified: boolean; providers: string[] }[]>
  /** The subjects of what was mailed to an address, newest first. */
  subjectsTo(email: string): Promise<string[]>
  /** Makes the next answer of the local provider's token endpoint bad. */
  spoilNext(fault: string): Promise<void>
  /** Every line that was logged, at level debug. */
  log: readonly string[]
  close(): Promise<void>
}

/** The origins of the site's app on the host that `query` names. */
export const readerOrigins = ['https://reader.example', 'http://reader.example:8080']

/** Starts it, for the tests of one file. `local`, `spare`, `github` and `away` are its providers. */
export async function startSignInSite(env: Record<string, string> = {}): Promise<SignInSite> {
  const emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now: () => testNow })
  const door = await openFrontDoor()
  const log = createCapturedLog()
  const provider = {
    name: 'Tidings ID',
    issuer: emulators.identityUrl,
    clientId: 'tidings-local',
    clientSecret: 'local-secret',
  }
  const site = await startTestApp({
    databaseUrl: await createTestDatabase(),
    env: {
      SITE_URL: door.url,
      SMTP_URL: emulators.smtpUrl,
      ALLOWED_ORIGINS: [...readerOrigins, 'https://news.example'].join(),
      OIDC_PROVIDERS: JSON.stringify([
        { ...provider, key: 'local' },
        { ...provider, key: 'spare', name: 'Spare ID' },
        // Nobody listens there.
        { ...provider, key: 'away', name: 'Away ID', issuer: 'http://127.0.0.1:1' },
      ]),
      GITHUB_CLIENT_ID: 'tidings-local',
      GITHUB_CLIENT_SECRET: 'local-secret',
      GITHUB_URL: emulators.githubUrl,
      ...env,
    },
    overrides: { logger: log.logger },
  })
  const { context } = site
  await addApp(site, {
    id: otherApp.appId,
    publicKey: otherApp.publicKey,
    allowedOrigins: [`https://${otherApp.origin}`],
    authProviders: ['local'],
  })
  door.leadTo(site.app)
  const { appId, appPublicKey: publicKey } = context.config.site
  const members = createTestMembers(site)
  const { db } = context.database

  return {
    site,
    members,
    emulators,
    inbox: readInbox(emulators.inboxUrl),
    query: (name, more = {}) => ({ provider: name, appId, publicKey, origin: 'reader.example', ...more }),
    browser: () => createPopupBrowser(door.url),
    async member(email, { verified } = { verified: true }) {
      const member = await members.signUp({ email })
      await db.member.update({ where: { id: member.memberId }, data: { verified } })
      return member
    },
    async accountsOf(email) {
      const rows = await db.member.findMany({ where: { email }, include: { identities: true } })
      return rows.map(({ id, verified, identities }) => ({
        id,
        verified,
        providers: identities.map((identity) => identity.provider),
      }))
    },
    async subjectsTo(email) {
      return (await mailsAt(emulators.inboxUrl, email)).map(({ subject }) => subject)
    },
    async spoilNext(fault) {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ fault }) }
      const { status } = await fetch(`${emulators.identityUrl}/next`, init)
      if (status !== 204) throw new Error(`The stand-in takes no fault '${fault}'`)
    },
    log: log.lines,
    async close() {
      await door.close()
      await site.close()
      await emulators.stop()
      log.expectNoErrors()
    },
  }
}

/** The session that the last page of a popup hands over; throws when it hands over anything else. */
export function sessionOf({ message }: PopupEnd): MemberSession {
  return sessionMessage.parse(message).data
}

const sessionMessage = z.strictObject({ data: sessionReply.shape.data.strict() })
