import { entryBoxReply, gateReply } from '@tidings/contracts/gate'
import { entryBoxRequest, gateRequest } from '@tidings/contracts/gate-requests'
import { paths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { routeOptions } from '#http/endpoints/route-options.ts'
import { type GatePass, gatePassCookie } from '#http/sessions/gate-pass.ts'
import { type ReaderSessions, readerCookie } from '#http/sessions/reader-session.ts'
import type { EntryBoxService } from './entry-box.service.ts'
import type { GateService } from './gate.service.ts'

type Deps = {
  gate: GateService
  entryBox: EntryBoxService
  gatePass: GatePass
  readers: ReaderSessions
  secureCookies: boolean
}

export function registerGateRoutes(app: App, deps: Deps): void {
  const { gate, entryBox, gatePass, readers, secureCookies } = deps
  app.get(
    paths.gate,
    routeOptions('public', 'Gate', 'Returns whether the gate is on and passed', { reply: gateReply }),
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      return { data: { on: gatePass.on, passed: gatePass.isPassed(request.headers.cookie) } }
    },
  )

  app.post(
    paths.gate,
    routeOptions('public', 'Gate', 'Passes the gate with the site password', {
      description: 'Sets a signed session cookie for the content routes.',
      body: gateRequest,
      reply: gateReply,
    }),
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      if (!gatePass.on) return { data: { on: false, passed: true } }
      const cookies = app.parseCookie(request.headers.cookie ?? '')
      // Only readers behind the gate get this cookie, which lasts longer than the pass.
      const readerId = readers.read(cookies[readerCookie])
      const pass = await gate.enter(request.body.password, { address: request.ip, readerId })
      // No Max-Age: the pass expires with the browser session.
      reply.setCookie(gatePassCookie, pass, {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure: secureCookies,
      })
      return { data: { on: true, passed: true } }
    },
  )

  app.post(
    paths.protect,
    routeOptions('gate', 'Gate', 'Stores an email address or a phone number', {
      body: entryBoxRequest,
      reply: entryBoxReply,
    }),
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      return { kind: await entryBox.enter(request.body.tool, request.ip) }
    },
  )
}
