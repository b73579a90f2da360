import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

const addresses = z.array(z.string().trim().toLowerCase()).default([])

/** The faults of the mail server, which last until the next call changes them. */
export const smtpFaults = z.strictObject({
  /** How late it replies to each message. It stores the message first. */
  slowMs: z.int().min(0).max(120_000).default(0),
  /** Recipients that it refuses with 550. */
  refuse: addresses,
  /** Refuses every nth recipient with 550; 0 for none. */
  refuseEvery: z.int().min(0).default(0),
  /** Domains for which it refuses every message, as a server that has the site on a block list. */
  block: addresses,
  /** Recipients whose mailbox is full: it refuses their messages with 552. */
  full: addresses,
  /** Replies 454 to every nth recipient; 0 for none. */
  throttleEvery: z.int().min(0).default(0),
  /** How many messages each connection may send; null for any number. The next one is cut off without a reply. */
  cutAfter: z.int().min(0).nullable().default(null),
  /** Whether it keeps the message that it cuts off, as a server that accepts and then dies. */
  keepsCut: z.boolean().default(false),
  /** Recipients whose messages are accepted, and returned to the sender afterwards. */
  bounce: addresses,
  /** Where it sends bounces: the server for the return addresses. Null for that of the site. */
  bounceUrl: z
    .url({ protocol: /^smtps?$/ })
    .nullable()
    .default(null),
})

export type SmtpFaults = z.infer<typeof smtpFaults>

export type SmtpFaultsStore = { current: SmtpFaults }

/** Returns a store without faults. */
export function createSmtpFaults(): SmtpFaultsStore {
  return { current: smtpFaults.parse({}) }
}

/** Serves `/inbox/faults`, by which tests and scripts read and change the faults. */
export function addSmtpFaultRoutes(app: FastifyInstance, faults: SmtpFaultsStore): void {
  app.get('/inbox/faults', () => faults.current)

  app.put('/inbox/faults', (request, reply) => {
    const parsed = smtpFaults.safeParse(request.body)
    if (!parsed.success) return reply.code(400).send({ error: { message: z.prettifyError(parsed.error) } })
    faults.current = parsed.data
    return faults.current
  })
}
