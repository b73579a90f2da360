import type { CalendarDate } from '@tidings/contracts/edition-key'
import { addDays, dateInZone } from '#features/editions/index.ts'
import { findMember, type MemberService, updateMember } from '#features/members/index.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/database.ts'
import { fromDatabaseDate, toDatabaseDate } from '#platform/database-date.ts'
import { hasCode } from '#platform/errors.ts'
import { asObject } from '#platform/free-json.ts'
import type { MembershipApps } from '#platform/membership-apps/membership-apps.ts'
import type { DeliverySite } from '../emails/edition-content.ts'
import { renderWebView } from '../emails/prepare-email.ts'
import { toEmailContent } from '../emails/to-email-content.ts'
import { findPreferences, updatePreferences } from '../ledger/report.repository.ts'
import { readContent } from '../sending/content.ts'
import {
  type DeliveryMethod,
  findLinkedDelivery,
  type LinkedDelivery,
} from './linked-deliveries.repository.ts'
import { methodsOf, withMethod, withMethods, withoutMethod } from './member-methods.ts'
import type { LinkedMember, RefusedLink, SignedLinks } from './signed-links.ts'
import type { TextLinks, TextPurpose } from './text-links.ts'

type Deps = {
  database: Database
  clock: Clock
  apps: MembershipApps
  members: Pick<MemberService, 'change'>
  signedLinks: SignedLinks
  textLinks: TextLinks
  appId: string
  timeZone: string
  deliverySite: DeliverySite
}

/** A delivery behind a link, or why there is none. */
export type LinkTarget = { status: 'valid'; delivery: LinkedDelivery } | RefusedLink

/** The same of a short link, with what it opens. */
type TextLinkTarget = { status: 'valid'; purpose: TextPurpose; delivery: LinkedDelivery } | RefusedLink

const textLinkDays = 400
const dayMs = 86_400_000

/** What a member receives. */
export type MemberChoices = {
  methods: ReadonlySet<DeliveryMethod>
  /** The first day on which deliveries are sent again; null if they are not paused. */
  pausedUntil: CalendarDate | null
  /** The pages of PDFs. */
  pdfFormat: PdfFormat
}

type Change = (fields: Readonly<Record<string, unknown>>) => Record<string, unknown>

export type LinkService = ReturnType<typeof createLinkService>

/** Creates the service of the signed links in emails: what they show and change without a session. */
export function createLinkService(deps: Deps) {
  const { database, clock, apps, members, signedLinks, textLinks, appId, timeZone, deliverySite } = deps

  /** Changes a member's fields; returns null when the account is deleted. */
  async function change(memberId: string, fieldsOf: Change): Promise<MemberChoices | null> {
    const app = (await apps.directory()).byId.get(appId)
    if (app === undefined) return null
    try {
      await members.change(app, memberId, async (tx, row) => {
        await updateMember(tx, memberId, { customFields: fieldsOf(asObject(row.customFields)) })
      })
    } catch (error) {
      if (hasCode(error, 'member-not-found')) return null
      throw error
    }
    return await choices(memberId)
  }

  async function choices(memberId: string): Promise<MemberChoices | null> {
    const row = await findMember(database.db, memberId)
    if (row === null) return null
    const { pausedUntil: until, pdfFormat } = await findPreferences(database.db, memberId)
    const isPaused = until !== null && until > toDatabaseDate(today())
    return {
      methods: methodsOf(asObject(row.customFields)),
      pausedUntil: isPaused ? fromDatabaseDate(until) : null,
      pdfFormat,
    }
  }

  function today(): CalendarDate {
    return dateInZone(clock.now(), timeZone)
  }

  return {
    async openView(token: string): Promise<LinkTarget> {
      const link = signedLinks.open('view', token)
      if (link.status !== 'valid') return link
      const delivery = await findLinkedDelivery(database.db, link.subject)
      return delivery === null ? { status: 'expired' } : { status: 'valid', delivery }
    },

    /** Returns the delivery of a short link, which expires after as many days as the others. */
    async openText(token: string): Promise<TextLinkTarget> {
      const link = textLinks.open(token)
      if (link.status !== 'valid') return link
      const delivery = await findLinkedDelivery(database.db, link.deliveryId)
      if (delivery === null) return { status: 'expired' }
      const since = delivery.run.startedAt ?? delivery.run.createdAt
      const isExpired = clock.now().getTime() - since.getTime() > textLinkDays * dayMs
      return isExpired ? { status: 'expired' } : { status: 'valid', purpose: link.purpose, delivery }
    },

    /** Renders what was delivered, as it is now; null if it was withdrawn. */
    async webView({ id, memberId, method, run }: LinkedDelivery): Promise<string | null> {
      const content = await readContent(database.db, run)
      if (content === null) return null
      const shown = toEmailContent(content, { methods: [method], attached: null }, signedLinks)
      const links = signedLinks.ofDelivery(id, { memberId: memberId ?? '', methods: [method] })
      return await renderWebView(shown, deliverySite, links)
    },

    /** Returns what a member receives; null when the account is deleted. */
    choices,

    /** Turns methods of a member off. Returns what is left on; null when the account is deleted. */
    async unsubscribe({ memberId, methods }: LinkedMember): Promise<MemberChoices | null> {
      return await change(memberId, (fields) =>
        methods.reduce((left: Record<string, unknown>, method) => withoutMethod(left, method), { ...fields }),
      )
    },

    /** Turns a method of a member on. Returns what is on; null when the account is deleted. */
    async subscribe(memberId: string, method: DeliveryMethod): Promise<MemberChoices | null> {
      return await change(memberId, (fields) => withMethod(fields, method))
    },

    /** Replaces a member's methods; null when the account is deleted. */
    async choose(memberId: string, chosen: ReadonlySet<DeliveryMethod>): Promise<MemberChoices | null> {
      return await change(memberId, (fields) => withMethods(fields, chosen))
    },

    /** Changes the pages of a member's PDFs; returns null when the account is deleted. */
    async choosePages(memberId: string, pdfFormat: PdfFormat): Promise<MemberChoices | null> {
      await updatePreferences(database.db, memberId, { pdfFormat })
      return await choices(memberId)
    },

    /** Returns the first day on which a pause can end: tomorrow. */
    earliestPauseEnd: (): CalendarDate => addDays(today(), 1),

    /** Pauses a member's deliveries until a day, or ends the pause; null when the account is deleted. */
    async pause(memberId: string, until: CalendarDate | null): Promise<MemberChoices | null> {
      const pausedUntil = until === null ? null : toDatabaseDate(until)
      await updatePreferences(database.db, memberId, { pausedUntil })
      return await choices(memberId)
    },
  }
}
