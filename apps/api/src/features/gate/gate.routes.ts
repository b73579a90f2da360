import { enterContact, getGate, passGate } from '@tidings/contracts/gate'
import type { App } from '#http/app-type.ts'
import { register } from '#http/endpoints/register.ts'
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
  register(app, getGate, async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    return { data: { on: gatePass.on, passed: gatePass.isPassed(request.headers.cookie) } }
  })

  register(app, passGate, async (request, reply) => {
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
  })

  register(app, enterContact, async (request, reply) => {
    reply.header('Cache-Control', 'no-store')
    return { kind: await entryBox.enter(request.body.tool, request.ip) }
  })
}
