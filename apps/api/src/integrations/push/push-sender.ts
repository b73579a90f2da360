/** Where a browser gets messages, and the keys that encrypt them for it. */
export type PushSubscription = { endpoint: string; p256dh: string; auth: string }

/** A message for one browser. A newer one replaces one of the same topic that the browser doesn't have yet. */
export type PushMessage = { payload: string; topic: string; ttlSeconds: number }

/**
 * The outcome of a message. `gone`: the browser no longer wants any. `temporary`: it may be sent again, from a time on if
 * the push service says so. `permanent`: it is refused.
 */
export type PushResult =
  | { outcome: 'accepted' }
  | { outcome: 'gone' | 'permanent'; code: string; response: string }
  | { outcome: 'temporary'; code: string; response: string; retryAt: Date | null }

/** How many members are served at once. */
export const pushConcurrency = 20

/** Sends notifications to browsers. `send` never rejects; `concurrency` is how many members are served at once. */
export type PushSender = {
  concurrency: number
  /** The key that browsers subscribe with; null if nothing is sent. */
  publicKey: string | null
  /** Returns whether messages can be encrypted for a browser, and may be sent to the address that it named. */
  accepts(subscription: PushSubscription): Promise<boolean>
  send(subscription: PushSubscription, message: PushMessage): Promise<PushResult>
}
