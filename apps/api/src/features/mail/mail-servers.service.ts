import type { MailServer } from '#integrations/mail/mail-server.ts'
import { MailUnavailableError } from '#integrations/mail/mailer.ts'
import type { Db } from '#platform/database.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import { lacksSmtpUtf8, removeOldMailServers, storeMailServer } from './mail-servers.repository.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'logger'> & {
  /** Those that the process sends emails with; empty without a mail server. */
  servers: readonly MailServer[]
}

export type MailServerService = ReturnType<typeof createMailServerService>

// Longer than the time between two checks, so that a server that is down for some hours stays known.
const knownMs = 24 * 3600 * 1000

/** Stores the features of the mail servers, for the process that creates accounts. */
export function createMailServerService({ database, clock, logger, servers }: Deps) {
  return {
    /** Asks each server. One that can't be reached keeps its last reply. */
    async check(): Promise<void> {
      for (const server of servers) {
        try {
          const offersSmtpUtf8 = await server.offersSmtpUtf8()
          const row = { name: server.name, offersSmtpUtf8, checkedAt: clock.now() }
          await storeMailServer(database.db, row)
        } catch (error) {
          if (!(error instanceof MailUnavailableError)) throw error
          logger.warn({ code: error.code }, 'mail server check failed')
        }
      }
      await removeOldMailServers(database.db, new Date(clock.now().getTime() - knownMs))
    },

    /** Returns whether emails can reach an address; true while it is unknown. The domain needs no extension. */
    async canReach(db: Db, email: string): Promise<boolean> {
      if (/^\p{ASCII}*@/u.test(email) || servers.length === 0) return true
      const names = servers.map(({ name }) => name)
      return !(await lacksSmtpUtf8(db, names, new Date(clock.now().getTime() - knownMs)))
    },
  }
}
