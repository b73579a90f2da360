import { likeMemo } from '@tidings/contracts/editions'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
import type { GatePass } from '#http/sessions/gate-pass.ts'
import { type ReaderSessions, readerCookie, readerCookieSeconds } from '#http/sessions/reader-session.ts'
import type { Ids } from '#platform/ids.ts'
import type { LikeService } from './likes.service.ts'

type Deps = {
  likes: LikeService
  readers: ReaderSessions
  gatePass: GatePass
  ids: Ids
  secureCookies: boolean
}

export function registerLikeRoutes(app: App, { likes, readers, gatePass, ids, secureCookies }: Deps): void {
  register(app, likeMemo, async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    const { cookie } = request.headers
    const known = readers.read(app.parseCookie(cookie ?? '')[readerCookie])
    // Without a reader cookie the gate pass identifies the browser, so that a repeated call counts once there, too.
    const readerId = known ?? gatePass.idOf(cookie) ?? (request.body.add ? ids.uuid() : null)
    const liked = await likes.set({ readerId, isNew: known === null, address: request.ip }, request.body)
    if (known === null && readerId !== null && request.body.add) {
      reply.setCookie(readerCookie, readers.write(readerId), {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: secureCookies,
        maxAge: readerCookieSeconds,
      })
    }
    return liked
  })
}
