import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { decryptMessage } from './decrypt-message.ts'
import {
  createSubscriptions,
  pushReply,
  type Subscription,
  subscriptionJson,
  takeReply,
} from './subscriptions.ts'
import { readVapid, type VapidClaims } from './vapid.ts'

/** A message that arrived, decrypted. */
export type ReceivedPush = {
  id: string
  endpoint: string
  /** The decrypted text, which is JSON. */
  text: string
  ttl: number
  urgency: string
  topic: string | null
  vapid: VapidClaims
  receivedAt: string
}

const headers = z.object({
  'content-encoding': z.literal('aes128gcm'),
  ttl: z.coerce.number().int().min(0),
  urgency: z.enum(['very-low', 'low', 'normal', 'high']).default('normal'),
  topic: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .optional(),
})

const subscribeRequest = z.object({ applicationServerKey: z.string().optional() }).optional().nullable()
const maxBytes = 4_096
const maxMessages = 1_000

type ById = { Params: { id: string } }

/** Adds a push service (RFC 8030) that decrypts what it receives, for subscriptions that it hands out. */
export function addPush(app: FastifyInstance, { now }: { now: () => Date }): void {
  const subscriptions = createSubscriptions()
  let messages: ReceivedPush[] = []
  let count = 0

  function keep(message: Omit<ReceivedPush, 'id' | 'receivedAt'>): void {
    count += 1
    const added = { ...message, id: `push_${count}`, receivedAt: now().toISOString() }
    messages = [added, ...messages.slice(0, maxMessages - 1)]
  }

  async function receive(subscription: Subscription, request: FastifyRequest, reply: FastifyReply) {
    const message = readMessage(subscription, request, now())
    if ('status' in message) return refuse(reply, message.status, message.reason)
    const { status, retryAfter, accepts, slowMs } = takeReply(subscription)
    if (status === 201 || accepts) keep(message)
    if (slowMs > 0) await pause(slowMs, undefined, { ref: false })
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    if (status !== 201) return refuse(reply, status, 'as it was told to')
    return reply
      .code(201)
      .header('location', `${originOf(request)}/push/messages/push_${count}`)
      .send()
  }

  app.register(async (scope) => {
    scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )

    scope.post('/push/subscriptions', (request, reply) => {
      const body = subscribeRequest.safeParse(request.body)
      if (!body.success) return refuse(reply, 400, z.prettifyError(body.error))
      const subscription = subscriptions.create(body.data?.applicationServerKey ?? null)
      return reply.code(201).send(subscriptionJson(subscription, originOf(request)))
    })

    scope.put<ById>('/push/:id/reply', (request, reply) => {
      const subscription = subscriptions.find(request.params.id)
      const parsed = pushReply.safeParse(request.body)
      if (subscription === null) return refuse(reply, 404, 'unknown subscription')
      if (!parsed.success) return refuse(reply, 400, z.prettifyError(parsed.error))
      subscription.reply = parsed.data
      return subscription.reply
    })

    scope.delete<ById>('/push/:id', (request, reply) =>
      subscriptions.remove(request.params.id)
        ? reply.code(204).send()
        : refuse(reply, 404, 'unknown subscription'),
    )

    scope.get<{ Querystring: { endpoint?: string } }>('/push/messages', ({ query: { endpoint } }) =>
      messages.filter((message) => endpoint === undefined || message.endpoint === endpoint),
    )

    scope.delete('/push/messages', (_request, reply) => {
      messages = []
      return reply.code(204).send()
    })

    scope.post<ById>('/push/:id', (request, reply) => {
      const subscription = subscriptions.find(request.params.id)
      return subscription === null
        ? refuse(reply, 404, 'unknown subscription')
        : receive(subscription, request, reply)
    })
  })
}

type Refusal = { status: number; reason: string }

function readMessage(
  subscription: Subscription,
  request: FastifyRequest,
  now: Date,
): Omit<ReceivedPush, 'id' | 'receivedAt'> | Refusal {
  const parsed = headers.safeParse(request.headers)
  if (!parsed.success) return { status: 400, reason: z.prettifyError(parsed.error) }
  const { authorization } = request.headers
  if (!authorization) return { status: 401, reason: 'needs VAPID' }
  const { body } = request
  if (!Buffer.isBuffer(body)) return { status: 400, reason: 'needs a body' }
  if (body.length > maxBytes) return { status: 413, reason: `is longer than ${maxBytes} bytes` }
  const origin = originOf(request)
  try {
    const vapid = readVapid(authorization, origin, now)
    const { applicationServerKey } = subscription
    if (applicationServerKey !== null && vapid.publicKey !== applicationServerKey) {
      return { status: 403, reason: 'comes from another sender' }
    }
    return {
      endpoint: subscriptionJson(subscription, origin).endpoint,
      text: decrypted(body, subscription),
      ttl: parsed.data.ttl,
      urgency: parsed.data.urgency,
      topic: parsed.data.topic ?? null,
      vapid,
    }
  } catch (error) {
    if (error instanceof DecryptionError) return { status: 400, reason: error.message }
    return { status: 403, reason: error instanceof Error ? error.message : String(error) }
  }
}

class DecryptionError extends Error {}

function decrypted(body: Buffer, subscription: Subscription): string {
  try {
    return decryptMessage(body, subscription)
  } catch (error) {
    throw new DecryptionError('The body cannot be decrypted.', { cause: error })
  }
}

function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`
}

function refuse(reply: FastifyReply, status: number, reason: string) {
  return reply.code(status).send({ error: { message: reason } })
}
