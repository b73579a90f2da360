import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readForms } from '../http/forms.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { pagePolicy } from '../inbox/inbox-page.ts'
import { builtInAccount, createAccountStore, type TwilioAccount } from './accounts.ts'
import { createCallbacks } from './callbacks.ts'
import { type TwilioFaultsStore, twilioFaults } from './faults.ts'
import { addMessagesRoutes } from './messages-routes.ts'
import { phonePage } from './phone-page.ts'
import { createSmsReceiver } from './receive-sms.ts'
import { createSmsSender } from './send-sms.ts'

export type TwilioOptions = {
  inbox: Inbox
  now: () => Date
  /** Accounts besides the predefined one, which has the phones and receives their replies. */
  accounts?: readonly TwilioAccount[] | undefined
  /** The site's address for replies, as its own URL says. */
  incomingUrl?: string | undefined
  /** The origin to which callbacks are sent instead of the one that they are signed for. */
  callbackOrigin?: string | undefined
}

/** Adds the Twilio emulator: the Messages API, and the phones on the inbox page. */
export function addTwilio(app: FastifyInstance, options: TwilioOptions): void {
  const { inbox, now, incomingUrl, callbackOrigin } = options
  const faults: TwilioFaultsStore = { current: twilioFaults.parse({}) }
  const callbacks = createCallbacks({ origin: callbackOrigin })
  const builtIn = createAccountStore(builtInAccount, now)
  const others = (options.accounts ?? []).map((account) => createAccountStore(account, now))
  const accounts = new Map([builtIn, ...others].map((store) => [store.account.sid, store]))
  const receive = createSmsReceiver({ callbacks, incomingUrl })
  addMessagesRoutes(app, { accounts, faults, sender: createSmsSender({ inbox, faults, callbacks }) })

  app.put('/twilio/faults', (request, reply) => {
    const parsed = twilioFaults.safeParse(request.body)
    if (!parsed.success) return reply.code(400).send({ error: { message: z.prettifyError(parsed.error) } })
    faults.current = parsed.data
    return faults.current
  })

  app.register(async (scope) => {
    readForms(scope)

    scope.get<{ Params: { number: string } }>('/inbox/phone/:number', (request, reply) => {
      const { number } = request.params
      return reply
        .type('text/html')
        .header('content-security-policy', pagePolicy)
        .send(phonePage(number, builtIn.account.number, builtIn.of(number)))
    })

    scope.post<{ Params: { number: string }; Body: URLSearchParams }>(
      '/inbox/phone/:number',
      async (request, reply) => {
        const { number } = request.params
        await receive(builtIn, number, request.body.get('body') ?? '')
        return reply.redirect(`/inbox/phone/${encodeURIComponent(number)}`, 303)
      },
    )
  })

  app.addHook('onClose', () => callbacks.stop())
}
