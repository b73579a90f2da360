import fastify, { type FastifyInstance } from 'fastify'
import type { Inbox } from './inbox.ts'
import { listPage, mailBody, messagePage, notFoundPage, pagePolicy } from './inbox-page.ts'

// Emails are untrusted: no scripts and no forms. The page may measure them, so they share its origin.
const contentPolicy = "default-src 'none'; img-src * data:; style-src * 'unsafe-inline'; font-src * data:"
const mailPolicy = `sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; ${contentPolicy}`
const filePolicy = `sandbox; ${contentPolicy}`

/** Serves the inbox: `/inbox` for people, `/inbox/messages` for tests and scripts. */
export function buildInboxApp(inbox: Inbox): FastifyInstance {
  const app = fastify({ forceCloseConnections: true })

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    reply.header('x-content-type-options', 'nosniff')
  })

  app.setNotFoundHandler((request, reply) =>
    reply
      .code(404)
      .send({ error: { code: 'not-found', message: `${request.method} ${request.url} was not found.` } }),
  )

  app.get('/', (_request, reply) => reply.redirect('/inbox'))
  app.get('/healthz', () => ({ status: 'ok' }))

  app.get<{ Querystring: { to?: string } }>('/inbox/messages', (request) =>
    inbox.list(firstOf(request.query.to)).map(({ source: _source, ...message }) => message),
  )

  app.delete('/inbox/messages', (_request, reply) => {
    inbox.clear()
    return reply.code(204).send()
  })

  app.get<{ Querystring: { to?: string } }>('/inbox', (request, reply) => {
    const to = firstOf(request.query.to)
    return reply
      .type('text/html')
      .header('content-security-policy', pagePolicy)
      .send(listPage(inbox.list(to), to))
  })

  app.get<{ Params: { id: string } }>('/inbox/view/:id', (request, reply) => {
    const message = inbox.find(request.params.id)
    return reply
      .code(message ? 200 : 404)
      .type('text/html')
      .header('content-security-policy', pagePolicy)
      .send(message ? messagePage(message) : notFoundPage())
  })

  app.get<{ Params: { id: string } }>('/inbox/view/:id/html', (request, reply) => {
    const message = inbox.find(request.params.id)
    return reply
      .code(message ? 200 : 404)
      .type('text/html; charset=utf-8')
      .header('content-security-policy', mailPolicy)
      .send(message ? mailBody(message) : notFoundPage())
  })

  app.get<{ Params: { id: string } }>('/inbox/view/:id/source', (request, reply) => {
    const message = inbox.find(request.params.id)
    if (!message) return reply.callNotFound()
    return reply.type('text/plain; charset=utf-8').send(Buffer.from(message.source, 'latin1'))
  })

  app.get<{ Params: { id: string; index: string } }>(
    '/inbox/view/:id/attachments/:index',
    (request, reply) => {
      const file = inbox.find(request.params.id)?.attachments[Number(request.params.index)]
      if (!file) return reply.callNotFound()
      return reply
        .type(/^[\w.+-]+\/[\w.+-]+$/.test(file.contentType) ? file.contentType : 'application/octet-stream')
        .header('content-security-policy', filePolicy)
        .send(Buffer.from(file.content, 'base64'))
    },
  )

  return app
}

function firstOf(value: string | string[] | undefined) {
  const first = Array.isArray(value) ? value[0] : value
  return first?.trim() || undefined
}
