import { likeMemoReply, likeMemoRequest } from '@tidings/contracts/likes'
import { paths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import type { GatePass } from '#http/gate-pass.ts'
import { type ReaderSessions, readerCookie, readerCookieSeconds } from '#http/reader-session.ts'
import type { Ids } from '#platform/ids.ts'
import type { LikeService } from './likes.service.ts'

type Deps = {
  likes: LikeService
  readers: ReaderSessions
  gatePass: GatePass
  ids: Ids
  secureCookies: boolean
}

/** `POST /edition/update_counter`. */
export function registerLikeRoutes(app: App, { likes, readers, gatePass, ids, secureCookies }: Deps): void {
  app.post(
    paths.updateCounter,
    {
      config: { access: 'gate' },
      schema: {
        tags: ['Likes'],
        summary: 'Likes a memo, or takes the like back',
        description: 'Counts once for each reader, however often it is called.',
        body: likeMemoRequest,
        response: { 200: likeMemoReply },
      },
    },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      const { cookie } = request.headers
      const known = readers.read(app.parseCookie(cookie ?? '')[readerCookie])
      // A browser without a reader's cookie is known by its gate pass, so that repeating the call from
      // a client that keeps no other cookie does not count again either.
      const minted = gatePass.idOf(cookie) ?? (request.body.add ? ids.uuid() : null)
      const readerId = known ?? minted
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
    },
  )
}
