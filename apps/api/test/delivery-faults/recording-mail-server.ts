import { type SmtpFaults, smtpFaults } from '@tidings/emulators/smtp/smtp-faults'
import { startSmtpInbox } from '@tidings/emulators/smtp/smtp-inbox'
import { deliveryIdOf } from '#features/delivery/links/return-addresses.ts'
import { blockingDomains } from './fill-recipients.ts'

/** A message that the mail server accepted. */
export type ReceivedMail = { deliveryId: string | null; to: string; isCorrected: boolean; hasPdf: boolean }

type Options = {
  /** The words that only the corrected edition has. */
  correction: string
  random: () => number
  /** How late it replies to most messages. It stores them first. */
  slowMs: number
  /** The share of the messages to which it replies after the client has given up. */
  late: number
  /** The messages after which it cuts each connection. */
  cutAfter: number
  /** The addresses whose mailboxes are full. */
  full: readonly string[]
  /** Of as many messages, one is refused for now. */
  throttleEvery: number
  /** The domains that refuse the site. */
  blocked: readonly string[]
}

// Longer than the client's time-out.
const lateMs = 25_000

/** Starts the emulated mail server with all its faults. It keeps of each message what tells whose it is. */
export async function startRecordingMailServer({
  correction,
  random,
  slowMs,
  late,
  cutAfter,
  full,
  throttleEvery,
  blocked,
}: Options) {
  let block = [...blocked]
  const received: ReceivedMail[] = []
  const faults: { current: SmtpFaults } = {
    current: {
      ...smtpFaults.parse({ refuseEvery: 50, throttleEvery, cutAfter, full }),
      get block() {
        return block
      },
      // Each is read once for each message.
      get slowMs() {
        return random() < late ? lateMs : slowMs
      },
      get keepsCut() {
        return random() < 0.5
      },
    },
  }
  const smtp = await startSmtpInbox({
    host: '127.0.0.1',
    port: 0,
    faults,
    inbox: {
      add(message) {
        received.push({
          deliveryId: deliveryIdOf(message.headers['message-id'] ?? ''),
          to: message.to.join(),
          isCorrected: message.text.includes(correction),
          hasPdf: message.attachments.length > 0,
        })
        return { ...message, id: String(received.length), receivedAt: '' }
      },
      list: () => [],
      find: () => null,
      clear() {},
    },
  })
  return {
    url: smtp.url,
    received,
    /** Takes the site off the block list of the domain that refuses it for a while. */
    relent(): void {
      block = [blockingDomains.forGood]
    },
    /** Ends all faults. */
    behave(): void {
      faults.current = smtpFaults.parse({})
    },
    stop: () => smtp.stop(),
  }
}
