import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { readForms } from '../http/forms.ts'
import type { AccountTexts, Text } from './accounts.ts'
import { TwilioError } from './errors.ts'
import type { TwilioFaultsStore } from './faults.ts'
import type { createTextSender } from './send-text.ts'

type Deps = {
  accounts: ReadonlyMap<string, AccountTexts>
  sender: ReturnType<typeof createTextSender>
  faults: TwilioFaultsStore
}

type Query = Record<string, string | undefined>

const base = '/2010-04-01/Accounts/:accountSid'

/** Adds the calls of the Messages resource that `messages.create`, `list` and `fetch` of Twilio's SDK use. */
export function addMessagesRoutes(app: FastifyInstance, { accounts, sender, faults }: Deps): void {
  app.register(async (scope) => {
    readForms(scope)
    scope.setErrorHandler((error, _request, reply) =>
      error instanceof TwilioError ? reply.code(error.status).send(error.body) : reply.send(error),
    )

    function authenticate(sid: string, authorization = ''): AccountTexts {
      const texts = accounts.get(sid)
      const expected = texts && Buffer.from(`${sid}:${texts.account.authToken}`).toString('base64')
      if (texts === undefined || authorization !== `Basic ${expected}`) throw new TwilioError(20003)
      return texts
    }

    async function slowly<T>(work: () => T): Promise<T> {
      const { slowMs } = faults.current
      try {
        return work()
      } finally {
        if (slowMs > 0) await pause(slowMs, undefined, { ref: false })
      }
    }

    scope.post<{ Params: { accountSid: string }; Body: URLSearchParams }>(
      `${base}/Messages.json`,
      async (request, reply) => {
        const texts = authenticate(request.params.accountSid, request.headers.authorization)
        const text = await slowly(() => sender.send(texts, request.body))
        return reply.code(201).send(toWire(texts, text))
      },
    )

    scope.get<{ Params: { accountSid: string }; Querystring: Query }>(`${base}/Messages.json`, (request) => {
      const texts = authenticate(request.params.accountSid, request.headers.authorization)
      return pageOf(texts, request.query)
    })

    scope.get<{ Params: { accountSid: string; sid: string } }>(`${base}/Messages/:sid.json`, (request) => {
      const texts = authenticate(request.params.accountSid, request.headers.authorization)
      const text = texts.find(request.params.sid)
      if (text === null) throw new TwilioError(20404)
      return toWire(texts, text)
    })
  })
}

/** Returns a page of the texts that match, newest first. */
function pageOf(texts: AccountTexts, query: Query) {
  const { To: to, From: from, Page: page = '0', PageSize: pageSize = '50' } = query
  const [after, before, on] = [query['DateSent>'], query['DateSent<'], query.DateSent]
  const number = to ?? from
  const found = (number === undefined ? texts.list() : texts.of(number))
    .filter((text) => {
      const sentAt = text.createdAt.getTime()
      return (
        (to === undefined || text.to === to) &&
        (from === undefined || text.from === from) &&
        (after === undefined || sentAt >= Date.parse(after)) &&
        (before === undefined || sentAt <= Date.parse(before)) &&
        (on === undefined || text.createdAt.toISOString().startsWith(on.slice(0, 10)))
      )
    })
    .toReversed()
  const [index, size] = [Number(page), Math.min(Number(pageSize), 1_000)]
  const start = index * size
  const address = `/2010-04-01/Accounts/${texts.account.sid}/Messages.json`
  const next = new URLSearchParams({ Page: String(index + 1) })
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== 'Page') next.set(name, value)
  }
  return {
    messages: found.slice(start, start + size).map((text) => toWire(texts, text)),
    page: index,
    page_size: size,
    start,
    end: Math.max(start, Math.min(start + size, found.length) - 1),
    uri: address,
    first_page_uri: address,
    previous_page_uri: null,
    next_page_uri: start + size < found.length ? `${address}?${next}` : null,
  }
}

function toWire({ account }: AccountTexts, text: Text) {
  const at = text.createdAt.toUTCString().replace('GMT', '+0000')
  return {
    sid: text.sid,
    account_sid: account.sid,
    api_version: '2010-04-01',
    body: text.body,
    direction: text.direction,
    to: text.to,
    from: text.from,
    messaging_service_sid: text.messagingServiceSid,
    status: text.status,
    error_code: text.errorCode,
    error_message: null,
    num_media: '0',
    // Twilio counts them later, and also fills in the price then.
    num_segments: '0',
    price: null,
    price_unit: 'USD',
    date_created: at,
    date_sent: text.status === 'queued' ? null : at,
    date_updated: at,
    uri: `/2010-04-01/Accounts/${account.sid}/Messages/${text.sid}.json`,
    subresource_uris: {},
  }
}
