import { parseEditionKey } from '@tidings/contracts/edition-key'
import { deliveryLinkPaths as paths, smsLinkPath } from '@tidings/contracts/paths'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { DailyCounts } from '#features/daily-counts/index.ts'
import { fail, type MediaService, pictureRequestOf, sendPicture } from '#features/media/index.ts'
import type { App } from '#http/app-type.ts'
import type { RateLimits } from '#http/limits/rate-limits.ts'
import { type PageSite, type SmallPage, sendSmallPage } from '#http/site/small-page.ts'
import { pdfFormats } from '#integrations/pdf/pdf-document.ts'
import type { LinkedDelivery } from '../ledger/linked-deliveries.repository.ts'
import { type LinkedMember, pdfPurposes, type RefusedLink, type SignedLinks } from '../links/signed-links.ts'
import { toWireMethod } from '../methods.ts'
import {
  accountDeletedPage,
  expiredLinkPage,
  invalidLinkPage,
  testLinkPage,
  unreadablePage,
  unsubscribedPage,
  unsubscribePage,
  withdrawnPage,
} from './link-pages.ts'
import type { LinkedPdf, LinkedPdfs } from './linked-pdfs.service.ts'
import type { LinkService } from './links.service.ts'
import { registerPreferencesPage } from './preferences.routes.ts'
import { isOneClick } from './preferences-form.ts'

type Deps = {
  links: LinkService
  signedLinks: SignedLinks
  linkedPdfs: LinkedPdfs
  media: MediaService
  site: PageSite
  rateLimits: RateLimits
  dailyCounts: Pick<DailyCounts, 'linkOpened'>
}

type PageDeps = Parameters<typeof registerPreferencesPage>[1]

const options = {
  config: { access: 'signed' as const },
  schema: { hide: true, params: z.object({ token: z.string() }) },
}
const maxFormBytes = 10_000
const pictureWidth = 1_120
const widthQuery = z.object({ w: z.coerce.number().int().positive().max(10_000).optional().catch(undefined) })

// Mail programs show the page's own styles and pictures, and nothing runs.
const webViewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Registers the signed links in emails and texts. They ask for no gate pass or session, and give none. */
export function registerLinkRoutes(
  app: App,
  { links, signedLinks, linkedPdfs, media, site, rateLimits, dailyCounts }: Deps,
): void {
  // RFC 8058 allows both forms, and some mail programs post plain text. None sends an Origin header.
  app.addContentTypeParser(
    ['application/x-www-form-urlencoded', 'text/plain'],
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, body, done) => done(null, String(body)),
  )
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    (_request, _body, done) => done(null, ''),
  )
  app.addHook('onRequest', (_request, reply, done) => {
    // The page's own URL is a key, so no other page may see it.
    reply.headers({ 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' })
    done()
  })

  /** Says why a link doesn't work. Throws `too-many-requests` for a network that tries many that are not ours. */
  async function sendRefusal(reply: FastifyReply, status: RefusedLink['status']): Promise<FastifyReply> {
    if (status === 'invalid') await rateLimits.consume('invalidLinks', reply.request.ip)
    if (status === 'test') return sendSmallPage(reply, 200, testLinkPage(site))
    return status === 'invalid'
      ? sendSmallPage(reply, 404, invalidLinkPage(site))
      : sendSmallPage(reply, 410, expiredLinkPage(site))
  }

  const pages = { links, signedLinks, site, dailyCounts, sendRefusal }
  registerUnsubscribePage(app, pages)
  registerPreferencesPage(app, pages)

  async function sendWebView(reply: FastifyReply, delivery: LinkedDelivery): Promise<FastifyReply> {
    const html = await links.webView(delivery)
    if (html === null) return sendSmallPage(reply, 410, withdrawnPage(site))
    await dailyCounts.linkOpened('view')
    return reply
      .headers({ 'Cache-Control': 'no-store', 'Content-Security-Policy': webViewPolicy })
      .type('text/html; charset=utf-8')
      .send(html)
  }

  async function sendPdf(reply: FastifyReply, target: LinkedPdf): Promise<FastifyReply> {
    if (target.status !== 'valid') return await sendRefusal(reply, target.status)
    const { pdf } = target
    if (pdf === null) return sendSmallPage(reply, 410, withdrawnPage(site))
    await dailyCounts.linkOpened('pdf')
    return reply
      .headers({
        'Cache-Control': 'private, no-cache',
        'Content-Disposition': `inline; filename="${pdf.key}.pdf"`,
      })
      .type('application/pdf')
      .send(pdf.bytes)
  }

  app.get(paths.view, options, async (request, reply) => {
    const target = await links.openView(request.params.token)
    if (target.status !== 'valid') return await sendRefusal(reply, target.status)
    return await sendWebView(reply, target.delivery)
  })

  for (const pages of pdfFormats) {
    app.get(paths[pdfPurposes[pages]], options, async (request, reply) =>
      sendPdf(reply, await linkedPdfs.open(pages, request.params.token)),
    )
  }

  app.get(smsLinkPath, options, async (request, reply) => {
    const target = await links.openSms(request.params.token)
    if (target.status !== 'valid') return await sendRefusal(reply, target.status)
    const { purpose, delivery } = target
    if (purpose === 'view') return await sendWebView(reply, delivery)
    return await sendPdf(reply, await linkedPdfs.ofDelivery(delivery, purpose === 'a4' ? 'a4' : 'phone'))
  })

  app.get(paths.picture, options, async (request, reply) => {
    const link = signedLinks.open('picture', request.params.token)
    const [key = '', file = ''] = link.status === 'valid' ? link.subject.split('~') : []
    const edition = parseEditionKey(key)
    if (edition === null) throw fail('media-not-found')
    const wanted = pictureRequestOf(request, 'editorial', file, pictureWidth)
    return sendPicture(request, reply, wanted, await media.ofEdition(edition.date, edition.slot, wanted))
  })

  const sized = { ...options, schema: { ...options.schema, querystring: widthQuery } }
  app.get(paths.draft, sized, async (request, reply) => {
    const link = signedLinks.open('draft', request.params.token)
    if (link.status !== 'valid') throw fail('media-not-found')
    const wanted = pictureRequestOf(request, 'editorial', link.subject, request.query.w ?? pictureWidth)
    return sendPicture(request, reply, wanted, await media.open(wanted))
  })
}

function registerUnsubscribePage(
  app: App,
  { links, signedLinks, site, dailyCounts, sendRefusal }: PageDeps,
): void {
  /** Sends the page of a valid unsubscribe link, or one that says why the link doesn't work. */
  async function sendPage(
    reply: FastifyReply,
    token: string,
    page: (member: LinkedMember) => Promise<SmallPage | null>,
  ): Promise<FastifyReply> {
    const target = signedLinks.openMember('unsubscribe', token)
    if (target.status !== 'valid') return await sendRefusal(reply, target.status)
    return sendSmallPage(reply, 200, (await page(target.member)) ?? accountDeletedPage(site))
  }

  app.get(paths.unsubscribe, options, (request, reply) =>
    sendPage(reply, request.params.token, async ({ memberId, methods }) => {
      const choices = await links.choices(memberId)
      if (choices === null) return null
      await dailyCounts.linkOpened('unsubscribe')
      const isOn = methods.some((method) => choices.stored.has(toWireMethod(method)))
      return isOn ? unsubscribePage(site, methods) : unsubscribedPage(site, methods)
    }),
  )

  app.post(paths.unsubscribe, options, async (request, reply) => {
    if (!isOneClick(request)) return sendSmallPage(reply, 415, unreadablePage(site))
    return await sendPage(reply, request.params.token, async (member) => {
      const choices = await links.unsubscribe(member)
      return choices === null ? null : unsubscribedPage(site, member.methods)
    })
  })
}
