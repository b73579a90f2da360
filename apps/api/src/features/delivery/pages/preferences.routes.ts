import { withChoice } from '@tidings/contracts/delivery/methods'
import { formatIsoDate } from '@tidings/contracts/edition-key'
import { deliveryLinkPaths as paths } from '@tidings/contracts/paths'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { DailyCounts } from '#features/daily-counts/index.ts'
import type { App } from '#http/app-type.ts'
import { type PageSite, sendSmallPage } from '#http/site/small-page.ts'
import { fromDatabaseDate } from '#platform/database-date.ts'
import type { LinkOwner, RefusedLink, SignedLinks } from '../links/signed-links.ts'
import { accountDeletedPage, type Notice, preferencesPage, unreadablePage } from './link-pages.ts'
import type { LinkedPreferences, LinkService } from './links.service.ts'
import { type PreferencesForm, readPreferencesForm } from './preferences-form.ts'

type Deps = {
  links: LinkService
  signedLinks: SignedLinks
  site: PageSite
  dailyCounts: Pick<DailyCounts, 'linkOpened'>
  sendRefusal(reply: FastifyReply, status: RefusedLink['status']): Promise<FastifyReply>
}

/** The result of a form, and the choices after it. */
type Changed = Pick<Notice, 'kind' | 'checked'> & { result: LinkedPreferences }

/** Registers the preferences page, on which a link changes its member's choices. */
export function registerPreferencesPage(
  app: App,
  { links, signedLinks, site, dailyCounts, sendRefusal }: Deps,
): void {
  const options = {
    config: { access: 'signed' as const },
    schema: { hide: true, params: z.object({ token: z.string() }) },
  }

  /** Sends the page of a valid link, or one that says why the link doesn't work. */
  async function sendPage(
    reply: FastifyReply,
    token: string,
    change: (owner: LinkOwner) => Promise<Changed | 400 | 415>,
  ): Promise<FastifyReply> {
    const target = signedLinks.openMember('preferences', token)
    if (target.status !== 'valid') return await sendRefusal(reply, target.status)
    const changed = await change(target.member)
    if (typeof changed === 'number') return sendSmallPage(reply, changed, unreadablePage(site))
    const { result, kind, checked } = changed
    if (result === 'expired') return await sendRefusal(reply, 'expired')
    if (result === 'deleted') return sendSmallPage(reply, 200, accountDeletedPage(site))
    const notice = { kind, checked, ...links.pauseEnds() }
    return sendSmallPage(reply, kind === 'invalid-day' ? 400 : 200, preferencesPage(site, result, notice))
  }

  app.get(paths.preferences, options, (request, reply) =>
    sendPage(reply, request.params.token, async (owner) => {
      const result = await links.preferences(owner)
      if (typeof result !== 'string') await dailyCounts.linkOpened('preferences')
      return { result, kind: 'none', checked: null }
    }),
  )

  app.post(paths.preferences, options, (request, reply) =>
    sendPage(reply, request.params.token, async (owner) => {
      const form = readPreferencesForm(request)
      return typeof form === 'number' ? form : await change(owner, form)
    }),
  )

  /** Applies a form of the page. */
  async function change(owner: LinkOwner, form: PreferencesForm): Promise<Changed> {
    if (form.action === 'continue') {
      const result = await links.changePreferences(owner, { pausedUntil: null })
      return { result, kind: 'continued', checked: null }
    }
    if (form.action === 'pages') {
      const result = await links.changePreferences(owner, { pdfFormat: form.pdfFormat })
      return { result, kind: 'saved', checked: null }
    }
    if (form.action === 'pause') {
      const { earliest, latest } = links.pauseEnds()
      const { day } = form
      const isDay = z.iso.date().safeParse(day).success
      if (!isDay || day < formatIsoDate(earliest) || day > formatIsoDate(latest)) {
        return { result: await links.preferences(owner), kind: 'invalid-day', checked: null }
      }
      const pausedUntil = fromDatabaseDate(new Date(day))
      return { result: await links.changePreferences(owner, { pausedUntil }), kind: 'paused', checked: null }
    }
    const { checked } = form
    const result = await links.changePreferences(owner, {
      choose: (methods) => withChoice(methods, checked),
    })
    return { result, kind: 'saved', checked }
  }
}
