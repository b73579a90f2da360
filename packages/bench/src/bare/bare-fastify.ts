/** A bare Fastify with one route that sends prepared bytes, the baseline of requests. */
import Fastify from 'fastify'
import { serveRequests } from '../programs/serve-requests.ts'

export type BareReply = { route: string; headers: Record<string, string>; bodyBase64: string }

serveRequests<BareReply>(async ({ route, headers, bodyBase64 }) => {
  const body = Buffer.from(bodyBase64, 'base64')
  const app = Fastify()
  app.get(route, (_request, reply) => {
    void reply.headers(headers).send(body)
  })
  return await app.listen({ port: 0, host: '127.0.0.1' })
})
