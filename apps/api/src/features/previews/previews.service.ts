import type { UnsavedEdition } from '@tidings/contracts/desk/unsaved'
import type { UnsavedArticle, UnsavedDigest } from '@tidings/contracts/desk/writing/previews'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { toUnsavedArticle } from '#features/articles/index.ts'
import {
  type DeliveryContent,
  type DeliveryDesk,
  type EditionPdfs,
  filesOf,
  previewedMethods,
  type SignedLinks,
  type UnsavedContent,
} from '#features/delivery/index.ts'
import { type DeskReply, replyWith } from '#features/desk/index.ts'
import { getDate, getEditionId } from '#features/editions/index.ts'
import type { MediaService } from '#features/media/index.ts'
import { toWireMemo } from '#features/memos/index.ts'
import type { SecureContentService } from '#features/secure-content/index.ts'
import type { PdfFormat } from '#integrations/pdf/pdf-document.ts'
import type { PlatformDeps } from '#platform/membership-apps/platform-deps.ts'
import type { PreviewPages } from './preview-pages.service.ts'
import { fail } from './previews.errors.ts'

type Deps = Pick<PlatformDeps, 'database' | 'apps'> & {
  previewPages: PreviewPages
  deliveryDesk: Pick<DeliveryDesk, 'show' | 'costOfOne'>
  editionPdfs: Pick<EditionPdfs, 'of'>
  unsavedContent: UnsavedContent
  signedLinks: Pick<SignedLinks, 'linkTo'>
  secureContent: SecureContentService
  media: MediaService
  siteLanguage: string
}

export type PreviewService = ReturnType<typeof createPreviewService>

/** Renders what editors have typed, without storing it, as it would be read and sent. */
export function createPreviewService(deps: Deps) {
  const { database, previewPages, unsavedContent, deliveryDesk, signedLinks, media, siteLanguage } = deps

  async function contentOf({ edition, ...unsaved }: UnsavedEdition): Promise<DeliveryContent> {
    return await unsavedContent.ofEdition(getEditionId(edition), unsaved)
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
      const id = getEditionId(unsaved.edition)
      const { editions } = await unsavedContent.ofEdition(id, unsaved)
      const memos = editions.flatMap((part) => part.memos)
      return replyWith({
        date: formatWireDate(id.date),
        time_stamp: id.slot,
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
      const pdf = await deps.editionPdfs.of(await contentOf(unsaved), format)
      return replyWith({ ...(await previewPages.keep('application/pdf', pdf)), bytes: pdf.byteLength })
    },

    /** Shows the digest of a day with its drafts. Throws `digest-empty`. */
    async digest({ date: text, unsaved }: UnsavedDigest): Promise<DeskReply> {
      return await showEmail(await unsavedContent.ofDigest(getDate(text), unsaved), 'digest')
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
