import { createHmac } from 'node:crypto'
import { urlOf } from '@tidings/contracts/endpoint'
import { receiveStripeEvent } from '@tidings/contracts/membership/billing'
import type { LightMyRequestResponse } from 'fastify'
import { onTestFinished, vi } from 'vitest'
import type { PaymentSite } from '../sites/payment-site.ts'
import { waitOptions } from '../wait-options.ts'

/** Creates posts to the webhook, and faults on the way to and from Stripe. */
export function createWebhookPosts({ site, controls, webhookSecret }: PaymentSite) {
  /** Returns Stripe's signature of a body. */
  function sign(body: string, { secret = webhookSecret, secondsAgo = 0 } = {}): string {
    const time = Math.floor(site.clock.now().getTime() / 1000) - secondsAgo
    return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
  }

  /** Posts any body to the webhook. */
  async function post(body: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return await site.app.inject({
      method: receiveStripeEvent.method,
      url: urlOf(receiveStripeEvent),
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      payload: body,
    })
  }

  return {
    sign,
    post,
    /** Posts a signed event. */
    async deliver(event: object): Promise<LightMyRequestResponse> {
      const body = JSON.stringify(event)
      return await post(body, { 'stripe-signature': sign(body) })
    },
    /** Disables webhooks until the test ends. */
    async disableWebhooks(): Promise<void> {
      await controls.setWebhooks({ mode: 'off' })
      onTestFinished(async () => void (await controls.setWebhooks({ mode: 'on' })))
    },
    /** Holds the next matching call to Stripe, or with kind `late` its response, until it is released. */
    async hold(fault: { kind?: 'slow' | 'late'; match: string; about?: string }) {
      await controls.addFault({ kind: 'slow', ...fault })
      return {
        /** Waits until Stripe has received the call. */
        arrived: () =>
          vi.waitFor(async () => {
            if ((await controls.countFaults()) > 0) throw new Error('The call has not arrived.')
          }, waitOptions),
        release: () => controls.releaseCalls(),
      }
    },
  }
}
