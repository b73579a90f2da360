import type { FastifyReply } from 'fastify'
import { escapeHtml } from '../../../html.ts'
import { link, sendStripePage, tellingPage } from '../../pages/page.ts'
import type { PortalSessionRecord } from '../../records/portal.ts'
import type { World } from '../../world/world.ts'
import { openInvoices } from '../acts/card-change.ts'
import { portalPath } from '../portal-path.ts'
import { type Done, doneTexts, homePage } from './portal-home.ts'
import { cardPage } from './portal-pages.ts'

/** Sends a page of a session; its forms may lead to where the session leads in the end. */
export function sendOfSession(
  reply: FastifyReply,
  { returnUrl, afterCompletion }: PortalSessionRecord,
  html: string,
): FastifyReply {
  const redirect = afterCompletion.type === 'redirect' ? afterCompletion.returnUrl : null
  return sendStripePage(reply, html, [returnUrl, redirect])
}

/** Sends the first page with what could not be done. */
export function sendProblem(
  world: World,
  reply: FastifyReply,
  session: PortalSessionRecord,
  problem: string,
): FastifyReply {
  return sendOfSession(reply, session, homePage(world, session, { problem }))
}

/** Sends the page that asks for a card. */
export function sendCard(
  world: World,
  reply: FastifyReply,
  session: PortalSessionRecord,
  typed: { card: string; problem?: string },
): FastifyReply {
  return sendOfSession(reply, session, cardPage(session, typed, openInvoices(world, session.customerId)))
}

/** Goes on after something was done: where a flow's maker wanted, or to the first page, which says what was done. */
export function finish(
  world: World,
  reply: FastifyReply,
  session: PortalSessionRecord,
  done: Done,
): FastifyReply {
  const home = `${portalPath(session.id)}?done=${done}`
  if (!session.flow) return reply.redirect(home, 303)
  const { afterCompletion, returnUrl } = session
  if (afterCompletion.type === 'redirect') return reply.redirect(afterCompletion.returnUrl, 303)
  world.of('portalSession').put({ ...session, flow: null })
  if (afterCompletion.type === 'portal_homepage') return reply.redirect(home, 303)
  const text = afterCompletion.customMessage ?? doneTexts[done]
  const onward = returnUrl ? [link(returnUrl, `Back to ${URL.parse(returnUrl)?.host ?? 'the site'}`)] : []
  return sendOfSession(reply, session, tellingPage('Done', [escapeHtml(text)], onward))
}
