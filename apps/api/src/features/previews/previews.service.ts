import type { UnsavedArticle, UnsavedDigest, UnsavedEdition } from '@tidings/contracts/desk/writing/previews'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { toUnsavedArticle } from '#features/articles/index.ts'
import {
  type DeliveryContent,
  type DeliveryDesk,
  type EditionPdfs,
  previewedMethods,
  type SignedLinks,
} from '#features/delivery/index.ts'
import { type DeskReply, replyWith } from '#features/desk/index.ts'
import {
  type EditionRow,
  findEdition,
  getDate,
  getEditionId,
  idOf,
  listOfDay,
} from '#features/editions/index.ts'
import type { MediaService } from '#features/media/index.ts'
import { listMemos, type MemoRow, toUnsavedRow, toWireMemo } from '#features/memos/index.ts'
import type { SecureContentService } from '#features/secure-content/index.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { PreviewPages } from './preview-pages.service.ts'
import { fail } from './previews.errors.ts'

type Deps = Pick<PlatformDeps, 'database' | 'clock' | 'apps'> & {
  previewPages: PreviewPages
  deliveryDesk: Pick<DeliveryDesk, 'show' | 'costOfOne'>
  editionPdfs: Pick<EditionPdfs, 'ofUnsaved'>
  signedLinks: Pick<SignedLinks, 'linkTo'>
  secureContent: SecureContentService
  media: MediaService
  siteLanguage: string
}

export type PreviewService = ReturnType<typeof createPreviewService>

/** Renders what editors have typed, without storing it, as it would be read and sent. */
export function createPreviewService(deps: Deps) {
  const { database, clock, previewPages, deliveryDesk, signedLinks, media, siteLanguage } = deps

  /** Returns the memos as the rows that they would be. Throws `edition-not-found`. */
  async function rowsOf({
    edition: key,
    memos,
  }: UnsavedEdition): Promise<{ edition: EditionRow; memos: MemoRow[] }> {
    const edition = await findEdition(database.db, getEditionId(key))
    if (edition === null) throw fail('edition-not-found', key)
    const place = { editionId: edition.id, siteLanguage, now: clock.now() }
    const rows = memos.map((memo, index) => toUnsavedRow(memo, { ...place, position: index + 1 }))
    for (const file of filesOf(rows)) await media.require(database.db, file)
    return { edition, memos: rows }
  }

  async function contentOf(unsaved: UnsavedEdition): Promise<DeliveryContent> {
    const { edition, memos } = await rowsOf(unsaved)
    return { kind: 'memo', date: idOf(edition).date, editions: [{ edition, memos }], isPreview: true }
  }

  function picturesOf(files: readonly string[]): Record<string, string> {
    return Object.fromEntries(files.map((file) => [file, signedLinks.linkTo('draft', file)]))
  }

  /** Keeps an email at an address of its own. */
  async function showEmail(content: DeliveryContent, as: 'email' | 'digest'): Promise<DeskReply> {
    const { subject, html, text } = await deliveryDesk.show(content, previewedMethods[as])
    return replyWith({ ...(await previewPages.keep('text/html; charset=utf-8', html)), subject, text })
  }

  return {
    async phone(unsaved: UnsavedEdition): Promise<DeskReply> {
      const { edition, memos } = await rowsOf(unsaved)
      const { date, slot } = idOf(edition)
      return replyWith({
        date: formatWireDate(date),
        time_stamp: slot,
        memos: memos.map(toWireMemo),
        pictures: picturesOf(filesOf(memos)),
      })
    },

    async email(unsaved: UnsavedEdition): Promise<DeskReply> {
      return await showEmail(await contentOf(unsaved), 'email')
    },

    async sms(unsaved: UnsavedEdition): Promise<DeskReply> {
      const content = await contentOf(unsaved)
      const { text, texts } = await deliveryDesk.show(content, previewedMethods.sms)
      const { segments, amount, currency } = deliveryDesk.costOfOne(content, previewedMethods.sms)
      return replyWith({ text, segments, price: { amount, currency }, texts })
    },

    async pdf(unsaved: UnsavedEdition, format: PdfFormat): Promise<DeskReply> {
      const pdf = await deps.editionPdfs.ofUnsaved(await contentOf(unsaved), format)
      return replyWith({ ...(await previewPages.keep('application/pdf', pdf)), bytes: pdf.byteLength })
    },

    /** Shows the digest of a day with its drafts. Throws `digest-empty`. */
    async digest({ date: text, unsaved }: UnsavedDigest): Promise<DeskReply> {
      const date = getDate(text)
      const written = unsaved === undefined ? null : await rowsOf(unsaved)
      const editions = []
      for (const edition of await listOfDay(database.db, date)) {
        const memos =
          edition.id === written?.edition.id ? written.memos : await listMemos(database.db, edition.id)
        if (memos.length > 0) editions.push({ edition, memos })
      }
      if (editions.length === 0) throw fail('digest-empty')
      return await showEmail({ kind: 'digest', date, editions, isPreview: true }, 'digest')
    },

    /** Shows an article to a kind of reader. Behind a wall, nothing of it is in the reply. */
    async article({ reader, group, ...draft }: UnsavedArticle): Promise<DeskReply> {
      const article = toUnsavedArticle(draft, siteLanguage)
      if (article.media !== '') await media.require(database.db, article.media)
      const app = await deps.apps.siteApp()
      const held = typeof reader === 'object' ? [reader.plan] : []
      const { isOpen, plans } =
        group === null ? { isOpen: true, plans: [] } : await deps.secureContent.isOpenWith(app, group, held)
      const wall = reader === 'visitor' ? 'log-in' : isOpen ? null : 'plan'
      const shown = wall === null ? article : null
      const pictures = picturesOf(shown === null || shown.media === '' ? [] : [shown.media])
      return replyWith({ wall, plans, article: shown, pictures })
    },

    /** Signs the address of a picture. Throws `media-not-found`. */
    async picture(file: string): Promise<DeskReply> {
      const found = await media.find(file)
      if (found === null) throw fail('media-not-found')
      const { width, height, bytes } = found
      return replyWith({ media: file, width, height, bytes, url: signedLinks.linkTo('draft', file) })
    },
  }
}

function filesOf(memos: readonly MemoRow[]): string[] {
  return [...new Set(memos.flatMap(({ mediaFile }) => (mediaFile === null ? [] : [mediaFile])))]
}
