import { entryBoxReply, entryBoxRequest, gateReply, gateRequest } from '@tidings/contracts/gate'
import { paths } from '@tidings/contracts/paths'
import type { App } from '#http/app-type.ts'
import { type GatePass, gatePassCookie } from '#http/gate-pass.ts'
import type { EntryBoxService } from './entry-box.service.ts'
import type { GateService } from './gate.service.ts'

type Deps = { gate: GateService; entryBox: EntryBoxService; gatePass: GatePass; secureCookies: boolean }

export function registerGateRoutes(app: App, { gate, entryBox, gatePass, secureCookies }: Deps): void {
  app.get(
    paths.gate,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Gate'],
        summary: 'Returns whether the gate is on and passed',
        response: { 200: gateReply },
      },
    },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      return { data: { on: gatePass.on, passed: gatePass.isPassed(request.headers.cookie) } }
    },
  )

  app.post(
    paths.gate,
    {
      config: { access: 'public' },
      schema: {
        tags: ['Gate'],
        summary: 'Passes the gate with the site password',
        description: 'Sets a signed session cookie for the content routes.',
        body: gateRequest,
        response: { 200: gateReply },
      },
    },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      if (!gatePass.on) return { data: { on: false, passed: true } }
      const pass = await gate.enter(request.body.password, request.ip)
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
    {
      config: { access: 'gate' },
      schema: {
        tags: ['Gate'],
        summary: 'Stores an email address or a phone number',
        body: entryBoxRequest,
        response: { 200: entryBoxReply },
      },
    },
    async (request, reply) => {
      reply.header('Cache-Control', 'no-store')
      return { kind: await entryBox.enter(request.body.tool, request.ip) }
    },
  )
}
