import { type MemberSession, sessionReply } from '@tidings/contracts/membership/auth'
import { type Emulators, startEmulators } from '@tidings/emulators/emulators'
import { z } from 'zod'
import { createCapturedLog } from '../captured-log.ts'
import { addApp } from '../factories/membership-apps.ts'
import { type InboxReader, mailsAt, readInbox } from '../mail/inbox.ts'
import { createTestMembers, type TestMember, type TestMembers } from '../membership.ts'
import { createPopupBrowser, type PopupBrowser, type PopupEnd, type PopupQuery } from '../sign-in/popups.ts'
import { startTestApp, type TestApp, testNow } from '../test-app.ts'
import { createTestDatabase } from '../test-database.ts'
import { startEarlyServer } from './early-server.ts'

/** Another app than the site's own; it offers only the local provider. */
export const otherApp = {
  appId: 'app_other',
  publicKey: 'pk_other',
  origin: 'elsewhere.example',
} as const

/** The listening site with the emulators of its identity providers and mail server. */
export type SignInSite = {
  site: TestApp
  members: TestMembers
  emulators: Emulators
  inbox: InboxReader
  /** Returns the query of a client of the site's app on https://reader.example. */
  query(provider: string, more?: PopupQuery): PopupQuery
  browser(): PopupBrowser
  /** Signs up with a password; the address is verified by default. */
  member(email: string, proved?: { verified: boolean }): Promise<TestMember>
  /** Returns the accounts of an address with their providers; at most one exists. */
  accountsOf(email: string): Promise<{ id: string; verified: boolean; providers: string[] }[]>
  /** Returns the subjects of the emails to an address, newest first. */
  subjectsTo(email: string): Promise<string[]>
  /** Makes the next response of the local provider's token endpoint fail. */
  failNext(fault: string): Promise<void>
  /** Every logged line, at level debug. */
  log: readonly string[]
  expectNoErrors(): void
  close(): Promise<void>
}

/** The origins of the site's app on the host that `query` names. */
export const readerOrigins = ['https://reader.example', 'http://reader.example:8080']

/** Starts the site with the providers `local`, `spare`, `github` and `offline`. */
export async function startSignInSite(env: Record<string, string> = {}): Promise<SignInSite> {
  const emulators = await startEmulators({ host: '127.0.0.1', port: 0, smtpPort: 0, now: () => testNow })
  const server = await startEarlyServer()
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
      SITE_URL: server.url,
      SMTP_URL: emulators.smtpUrl,
      ALLOWED_ORIGINS: [...readerOrigins, 'https://news.example'].join(),
      OIDC_PROVIDERS: JSON.stringify([
        { ...provider, key: 'local' },
        { ...provider, key: 'spare', name: 'Spare ID' },
        // This port refuses connections.
        { ...provider, key: 'offline', name: 'Offline ID', issuer: 'http://127.0.0.1:1' },
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
  server.routeTo(site.app)
  const { appId, appPublicKey: publicKey } = context.config.site
  const members = createTestMembers(site)
  const { db } = context.database

  return {
    site,
    members,
    emulators,
    inbox: readInbox(emulators.inboxUrl),
    query: (name, more = {}) => ({ provider: name, appId, publicKey, origin: 'reader.example', ...more }),
    browser: () => createPopupBrowser(server.url),
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
    async failNext(fault) {
      const headers = { 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify({ fault }) }
      const { status } = await fetch(`${emulators.identityUrl}/next`, init)
      if (status !== 204) throw new Error(`The emulator has no fault '${fault}'`)
    },
    log: log.lines,
    expectNoErrors: log.expectNoErrors,
    async close() {
      await server.close()
      await site.close()
      await emulators.stop()
      log.expectNoErrors()
    },
  }
}

/** Returns the session of a result page. Throws for any other result. */
export function sessionOf({ message }: PopupEnd): MemberSession {
  return sessionMessage.parse(message).data
}

const sessionMessage = z.strictObject({ data: sessionReply.shape.data.strict() })
