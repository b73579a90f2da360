import type { App } from '../app-type.ts'
import { wantsHtml } from './screens.ts'

const deskPage = /^\/desk(?:\/(?!v1(?:\/|$))|$|\?)/

/** Redirects pages of the desk from 127.0.0.1 to localhost: passkeys need a name. For development. */
export function redirectDeskToLocalhost(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { hostname, port, url } = request
    if (hostname !== '127.0.0.1' || !deskPage.test(url) || !wantsHtml(request)) return done()
    const host = port === null ? 'localhost' : `localhost:${port}`
    void reply.header('Cache-Control', 'no-store').redirect(`http://${host}${url}`, 302)
  })
}
