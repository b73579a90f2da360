import { parseEditionKey } from '@tidings/contracts/edition-key'
import { deliveryLinkPaths as paths } from '@tidings/contracts/paths'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '#http/app-type.ts'
import { type PageSite, type SmallPage, sendSmallPage } from '#http/pages/small-page.ts'
import { fail, type MediaService, pictureRequestOf, sendPicture } from '../../media/index.ts'
import {
  accountDeletedPage,
  expiredLinkPage,
  invalidLinkPage,
  preferencesPage,
  unsubscribedPage,
  unsubscribePage,
  withdrawnPage,
} from './link-pages.ts'
import type { LinkedDelivery } from './linked-deliveries.repository.ts'
import type { LinkService } from './links.service.ts'
import { memberMethods } from './member-methods.ts'
import type { LinkPurpose, SignedLinks } from './signed-links.ts'

type Deps = { links: LinkService; signedLinks: SignedLinks; media: MediaService; site: PageSite }

const params = z.object({ token: z.string() })
const maxFormBytes = 10_000
const pictureWidth = 1_120

// Mail programs show the page's own styles and pictures, and nothing runs.
const webViewPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Registers the signed links in emails. They ask for no gate pass or session, and give none. */
export function registerLinkRoutes(app: App, { links, signedLinks, media, site }: Deps): void {
  // RFC 8058 allows both forms. A form without an Origin header is accepted, because mail services send none.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
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

  const options = { config: { access: 'signed' as const }, schema: { hide: true, params } }

  function sendRefusal(reply: FastifyReply, status: 'expired' | 'invalid'): FastifyReply {
    return status === 'invalid'
      ? sendSmallPage(reply, 404, invalidLinkPage(site))
      : sendSmallPage(reply, 410, expiredLinkPage(site))
  }

  /** Sends the page of a valid link, or one that says why the link doesn't work. */
  async function sendPage(
    reply: FastifyReply,
    purpose: LinkPurpose,
    token: string,
    page: (delivery: LinkedDelivery) => Promise<SmallPage | null>,
  ): Promise<FastifyReply> {
    const target = await links.open(purpose, token)
    if (target.status !== 'valid') return sendRefusal(reply, target.status)
    return sendSmallPage(reply, 200, (await page(target.delivery)) ?? accountDeletedPage(site))
  }

  function formsOf({ id }: LinkedDelivery) {
    const pathTo = (purpose: LinkPurpose) => new URL(signedLinks.linkTo(purpose, id)).pathname
    return { unsubscribe: pathTo('unsubscribe'), preferences: pathTo('preferences') }
  }

  app.get(paths.unsubscribe, options, (request, reply) =>
    sendPage(reply, 'unsubscribe', request.params.token, async (delivery) => {
      const methods = await links.methods(delivery)
      if (methods === null) return null
      const page = methods.has(delivery.method) ? unsubscribePage : unsubscribedPage
      return page(site, delivery.method, formsOf(delivery))
    }),
  )

  app.post(paths.unsubscribe, options, (request, reply) =>
    sendPage(reply, 'unsubscribe', request.params.token, async (delivery) => {
      const methods = await links.unsubscribe(delivery)
      return methods === null ? null : unsubscribedPage(site, delivery.method, formsOf(delivery))
    }),
  )

  app.get(paths.preferences, options, (request, reply) =>
    sendPage(reply, 'preferences', request.params.token, async (delivery) => {
      const methods = await links.methods(delivery)
      return methods === null ? null : preferencesPage(site, methods, formsOf(delivery), 'unsaved')
    }),
  )

  app.post(paths.preferences, options, (request, reply) =>
    sendPage(reply, 'preferences', request.params.token, async (delivery) => {
      const names = new URLSearchParams(String(request.body)).getAll('method')
      const chosen = memberMethods.flatMap(([method]) => (names.includes(method) ? [method] : []))
      const methods = await links.choose(delivery, new Set(chosen))
      return methods === null ? null : preferencesPage(site, methods, formsOf(delivery), 'saved')
    }),
  )

  app.get(paths.view, options, async (request, reply) => {
    const target = await links.open('view', request.params.token)
    if (target.status !== 'valid') return sendRefusal(reply, target.status)
    const html = await links.webView(target.delivery)
    if (html === null) return sendSmallPage(reply, 410, withdrawnPage(site))
    return reply
      .headers({ 'Cache-Control': 'no-store', 'Content-Security-Policy': webViewPolicy })
      .type('text/html; charset=utf-8')
      .send(html)
  })

  app.get(paths.picture, options, async (request, reply) => {
    const link = signedLinks.open('picture', request.params.token)
    const [key = '', file = ''] = link.status === 'valid' ? link.subject.split('~') : []
    const edition = parseEditionKey(key)
    if (edition === null) throw fail('media-not-found')
    const wanted = pictureRequestOf(request, 'editorial', file, pictureWidth)
    return sendPicture(request, reply, wanted, await media.ofEdition(edition.date, edition.slot, wanted))
  })
}
