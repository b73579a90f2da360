import { withMethod } from '@tidings/contracts/delivery/methods'
import { latestPauseEnd } from '@tidings/contracts/delivery/pause'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { addDays, dateInZone } from '#features/editions/index.ts'
import { findMember } from '#features/members/index.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import { toDatabaseDate } from '#platform/database-date.ts'
import { type DeliverySite, readContent, toEmailContent } from '../content/edition-content.ts'
import { renderWebView } from '../content/email/prepare-email.ts'
import { findLinkedDelivery, type LinkedDelivery } from '../ledger/linked-deliveries.repository.ts'
import { updatePreferences } from '../ledger/report.repository.ts'
import { dashboardPath } from '../links/dashboard-path.ts'
import type { LinkedMember, LinkOwner, RefusedLink, SignedLinks } from '../links/signed-links.ts'
import type { SmsLinks, SmsPurpose } from '../links/sms-links.ts'
import { toWireMethod } from '../methods.ts'
import type { MemberChoices } from './member-choices.ts'
import { type Choose, createStoredChoices, type StoredChoicesDeps } from './stored-choices.ts'

type Deps = StoredChoicesDeps & {
  signedLinks: SignedLinks
  smsLinks: SmsLinks
  deliverySite: DeliverySite
}

/** A delivery behind a link, or why there is none. */
export type LinkTarget = { status: 'valid'; delivery: LinkedDelivery } | RefusedLink

/** The delivery behind a short link, with the link's purpose. */
type SmsLinkTarget = { status: 'valid'; purpose: SmsPurpose; delivery: LinkedDelivery } | RefusedLink

const smsLinkDays = 400
const dayMs = 86_400_000

/** The choices behind a link to the preferences; none if the account is deleted or the link has ended. */
export type LinkedPreferences = MemberChoices | 'deleted' | 'expired'

/** The changes of a form of the preferences page. */
type PreferencesChange = { choose?: Choose; pausedUntil?: CalendarDate | null; pdfFormat?: PdfFormat }

export type LinkService = ReturnType<typeof createLinkService>

/** Creates the service of the signed links in emails, which show and change things without a session. */
export function createLinkService(deps: Deps) {
  const { database, clock, signedLinks, smsLinks, timeZone, deliverySite } = deps
  const { withMember, storeMethods, changeMethods, choices } = createStoredChoices(deps)
  const today = () => dateInZone(clock.now(), timeZone)

  return {
    async openView(token: string): Promise<LinkTarget> {
      const link = signedLinks.open('view', token)
      if (link.status !== 'valid') return link
      const delivery = await findLinkedDelivery(database.db, link.subject)
      return delivery === null ? { status: 'expired' } : { status: 'valid', delivery }
    },

    /** Returns the delivery of a short link, which expires after as many days as the others. */
    async openSms(token: string): Promise<SmsLinkTarget> {
      const link = smsLinks.open(token)
      if (link.status !== 'valid') return link
      const delivery = await findLinkedDelivery(database.db, link.deliveryId)
      if (delivery === null) return { status: 'expired' }
      const since = delivery.run.startedAt ?? delivery.run.createdAt
      const isExpired = clock.now().getTime() - since.getTime() > smsLinkDays * dayMs
      return isExpired ? { status: 'expired' } : { status: 'valid', purpose: link.purpose, delivery }
    },

    /** Renders the delivered content as it is now; null if it was withdrawn. */
    async webView({ method, run }: LinkedDelivery): Promise<string | null> {
      const content = await readContent(database.db, run)
      if (content === null) return null
      const shown = toEmailContent(content, { methods: [method], attached: null }, signedLinks)
      return renderWebView(shown, deliverySite, new URL(dashboardPath, deliverySite.url))
    },

    /** Returns a member's choices; null when the account is deleted. */
    choices,

    /** Turns methods of a member off. Returns the remaining ones; null when the account is deleted. */
    async unsubscribe({ memberId, methods }: LinkedMember): Promise<MemberChoices | null> {
      return await changeMethods(memberId, (chosen) =>
        methods.reduce((left, method) => withMethod(left, toWireMethod(method), false), chosen),
      )
    },

    changeMethods,

    /** Returns the choices of a link's owner. */
    async preferences({ memberId, linkVersion }: LinkOwner): Promise<LinkedPreferences> {
      const row = await findMember(database.db, memberId)
      if (row !== null && row.linkVersion !== linkVersion) return 'expired'
      return (await choices(memberId)) ?? 'deleted'
    },

    /** Changes the choices of a link's owner. Compares the link's number with the row locked. */
    async changePreferences(
      { memberId, linkVersion }: LinkOwner,
      { choose, pausedUntil, pdfFormat }: PreferencesChange,
    ): Promise<LinkedPreferences> {
      let isExpired = false
      const changed = await withMember(memberId, async (tx, row) => {
        isExpired = row.linkVersion !== linkVersion
        if (isExpired) return
        if (choose !== undefined) await storeMethods(tx, row, choose)
        await updatePreferences(tx, memberId, {
          ...(pausedUntil !== undefined && {
            pausedUntil: pausedUntil === null ? null : toDatabaseDate(pausedUntil),
          }),
          ...(pdfFormat !== undefined && { pdfFormat }),
        })
      })
      return isExpired ? 'expired' : (changed ?? 'deleted')
    },

    /** Returns the first and the last day on which a pause can end: tomorrow, and today in a year. */
    pauseEnds: () => ({ earliest: addDays(today(), 1), latest: latestPauseEnd(today()) }),
  }
}
