/** A Fastify with nothing but one route that sends ready bytes: what the edition is compared with. */
import Fastify from 'fastify'
import { answerQuestions } from '../programs/answer-questions.ts'

export type BareReply = { route: string; headers: Record<string, string>; bodyBase64: string }

answerQuestions<BareReply>(async ({ route, headers, bodyBase64 }) => {
  const body = Buffer.from(bodyBase64, 'base64')
  const app = Fastify()
  app.get(route, (_request, reply) => {
    void reply.headers(headers).send(body)
  })
  return await app.listen({ port: 0, host: '127.0.0.1' })
})
