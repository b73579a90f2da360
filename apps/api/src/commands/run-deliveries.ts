import { type CalendarDate, parseWireDate } from '@tidings/contracts/edition-key'
import type { Config } from '../config/config.ts'
import { ConfigurationError } from '../config/env.ts'
import { type Context, createContext } from '../context.ts'
import { registerJobs } from '../jobs.ts'

const usage = `Manages the deliveries of editions to members.

  deliveries summary            shows whether sending is on, and the deliveries of the last three days
  deliveries digest MM-DD-YY    plans and sends the digest of a day now
  deliveries hold               holds all sending; messages in flight are still sent
  deliveries release            releases it. What waited is sent now
  deliveries allow-codes        texts codes to new accounts again, which too many unused codes had stopped
  deliveries confirm-instance   declares this database the one that sends, after a restore, a copy or a failover.
                                Run it on one instance only: the others stay silent

DATABASE_URL selects the database, SITE_URL the site.
`

const gateTexts = {
  held: "All sending is held: 'deliveries release' releases it.",
  'unconfirmed-instance':
    "This database was restored, copied or promoted, so nothing is sent: 'deliveries confirm-instance' makes it the one that sends.",
} as const

const digestTexts = {
  planned: 'The digest is planned and sent now.',
  exists: 'This day has a digest already; it is not sent twice.',
  empty: 'Nothing is published on this day, so there is no digest.',
} as const

/** Runs the command and returns what it prints. Throws {@link ConfigurationError} for invalid arguments. */
export async function runDeliveries(args: string[], readConfig: () => Config): Promise<string> {
  const [command, argument, ...others] = args
  if (command === undefined || command === '--help' || command === '-h') return usage
  const day = argument === undefined ? null : parseWireDate(argument)
  const run = commandOf(command, day)
  const isComplete = command === 'digest' ? day !== null : argument === undefined
  if (run === undefined || !isComplete || others.length > 0) throw new ConfigurationError(usage)
  const context = createContext({ ...readConfig(), logLevel: 'warn' }, 'deliveries')
  try {
    registerJobs(context)
    await context.start({ jobs: false, listening: false })
    return `${await run(context)}\n`
  } finally {
    await context.close()
  }
}

function commandOf(
  command: string,
  day: CalendarDate | null,
): ((context: Context) => Promise<string>) | undefined {
  return new Map<string, (context: Context) => Promise<string>>([
    ['summary', summary],
    [
      'digest',
      async ({ deliveryOperations }) =>
        day === null ? usage : digestTexts[await deliveryOperations.planDigest(day)],
    ],
    ['hold', ({ deliveryOperations }) => deliveryOperations.hold().then(() => 'All sending is held.')],
    ['allow-codes', allowCodes],
    ['release', ({ deliveryOperations }) => deliveryOperations.release().then(() => 'Sending is released.')],
    [
      'confirm-instance',
      ({ deliveryOperations }) =>
        deliveryOperations.confirmInstance().then(() => 'This database sends from now on.'),
    ],
  ]).get(command)
}

async function allowCodes({ textLimits }: Context): Promise<string> {
  return (await textLimits.allowCodes())
    ? 'New accounts get codes by text again.'
    : 'Codes to new accounts are not stopped.'
}

async function summary({ deliveryOperations, textLimits }: Context): Promise<string> {
  const { gate, runs } = await deliveryOperations.summary()
  const lines = runs.map(
    ({ name, state, heldReason, counts }) =>
      `${name}  ${state}${heldReason === null ? '' : ` (${heldReason})`}: ${counts}`,
  )
  const heads = [gate.isOpen ? 'Sending is on.' : gateTexts[gate.reason]]
  const until = await textLimits.stoppedUntil()
  if (until !== null) heads.push(`Codes to new accounts are stopped until ${until.toISOString()}.`)
  return [...heads, ...(lines.length > 0 ? lines : ['Nothing was planned in the last three days.'])].join(
    '\n',
  )
}
