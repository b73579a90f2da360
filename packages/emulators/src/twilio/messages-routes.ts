import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { readForms } from '../http/forms.ts'
import type { AccountStore, Sms } from './accounts.ts'
import { TwilioError } from './errors.ts'
import type { TwilioFaultsStore } from './faults.ts'
import type { createSmsSender } from './send-sms.ts'

type Deps = {
  accounts: ReadonlyMap<string, AccountStore>
  sender: ReturnType<typeof createSmsSender>
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

    function authenticate(sid: string, authorization = ''): AccountStore {
      const store = accounts.get(sid)
      const expected = store && Buffer.from(`${sid}:${store.account.authToken}`).toString('base64')
      if (store === undefined || authorization !== `Basic ${expected}`) throw new TwilioError(20003)
      return store
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
        const store = authenticate(request.params.accountSid, request.headers.authorization)
        const sms = await slowly(() => sender.send(store, request.body))
        return reply.code(201).send(toWire(store, sms))
      },
    )

    scope.get<{ Params: { accountSid: string }; Querystring: Query }>(`${base}/Messages.json`, (request) => {
      const store = authenticate(request.params.accountSid, request.headers.authorization)
      return pageOf(store, request.query)
    })

    scope.get<{ Params: { accountSid: string; sid: string } }>(`${base}/Messages/:sid.json`, (request) => {
      const store = authenticate(request.params.accountSid, request.headers.authorization)
      const sms = store.find(request.params.sid)
      if (sms === null) throw new TwilioError(20404)
      return toWire(store, sms)
    })
  })
}

/** Returns a page of the SMS that match, newest first. */
function pageOf(store: AccountStore, query: Query) {
  const { To: to, From: from, Page: page = '0', PageSize: pageSize = '50' } = query
  const [after, before, on] = [query['DateSent>'], query['DateSent<'], query.DateSent]
  const number = to ?? from
  const found = (number === undefined ? store.list() : store.of(number))
    .filter((sms) => {
      const sentAt = sms.createdAt.getTime()
      return (
        (to === undefined || sms.to === to) &&
        (from === undefined || sms.from === from) &&
        (after === undefined || sentAt >= Date.parse(after)) &&
        (before === undefined || sentAt <= Date.parse(before)) &&
        (on === undefined || sms.createdAt.toISOString().startsWith(on.slice(0, 10)))
      )
    })
    .toReversed()
  const [index, size] = [Number(page), Math.min(Number(pageSize), 1_000)]
  const start = index * size
  const address = `/2010-04-01/Accounts/${store.account.sid}/Messages.json`
  const next = new URLSearchParams({ Page: String(index + 1) })
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && name !== 'Page') next.set(name, value)
  }
  return {
    messages: found.slice(start, start + size).map((sms) => toWire(store, sms)),
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

function toWire({ account }: AccountStore, sms: Sms) {
  const at = sms.createdAt.toUTCString().replace('GMT', '+0000')
  return {
    sid: sms.sid,
    account_sid: account.sid,
    api_version: '2010-04-01',
    body: sms.body,
    direction: sms.direction,
    to: sms.to,
    from: sms.from,
    messaging_service_sid: sms.messagingServiceSid,
    status: sms.status,
    error_code: sms.errorCode,
    error_message: null,
    num_media: '0',
    // Twilio counts them later, and also fills in the price then.
    num_segments: '0',
    price: null,
    price_unit: 'USD',
    date_created: at,
    date_sent: sms.status === 'queued' ? null : at,
    date_updated: at,
    uri: `/2010-04-01/Accounts/${account.sid}/Messages/${sms.sid}.json`,
    subresource_uris: {},
  }
}
