import type { PushSender } from './push-sender.ts'

/** Sends nothing where no keys are configured. What is planned waits for them. */
export function createNoPushSender(): PushSender {
  return {
    concurrency: 1,
    publicKey: null,
    accepts: async () => false,
    send: async () => ({
      outcome: 'temporary',
      code: 'ENOTCONFIGURED',
      response: 'VAPID_PRIVATE_KEY is not set',
      retryAt: null,
    }),
  }
}
