import type { SmsSender } from './sms-sender.ts'

/** Sends no text where no service is configured, so that each waits for one. */
export function createNoSmsSender(): SmsSender {
  return {
    concurrency: 1,
    send: async () => ({
      outcome: 'unavailable',
      code: 'ENOTCONFIGURED',
      response: 'TWILIO_ACCOUNT_SID is not set',
    }),
    listTo: async () => [],
  }
}
