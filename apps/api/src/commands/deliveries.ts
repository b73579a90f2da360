import { isIP } from 'node:net'
import { createInterface } from 'node:readline/promises'
import { type CalendarDate, parseWireDate } from '@tidings/contracts/edition-key'
import type { Config } from '../config/config.ts'
import { ConfigurationError } from '../config/env.ts'
import { createDns } from '../context/adapters.ts'
import type { Context } from '../context.ts'
import { registerJobs } from '../jobs.ts'
import { type HoldReason, holdReasons, isHoldReason } from '../platform/sending-guard/hold-reasons.ts'
import { checkDeliveries } from './check-deliveries.ts'
import { confirmInstance } from './confirm-instance.ts'
import { type Command, type Print, parseOptions, startCommand, withContext } from './run-command.ts'

const usage = `Manages the deliveries of editions to members.

  deliveries summary            shows whether sending is on, and the deliveries of the last three days
  deliveries digest MM-DD-YY    plans and sends the digest of a day now
  deliveries hold               holds all sending; messages in flight are still sent
  deliveries release            releases it. What waited is sent now
  deliveries check              compares SPF, DKIM, DMARC, MX and PTR records with what receivers ask for, and says
                                what to publish. Addresses that emails come from may follow, and --dns SERVER
                                asks that server
  deliveries allow-codes        texts codes to new accounts again, which too many unused codes had stopped
  deliveries confirm-instance   declares this database the one that sends, after a restore, a copy or a failover, and
                                accepts the DATA_DIR of a worker without a record of what was sent.
                                Run it with the DATA_DIR of the worker, and of a copy on one instance only.
                                It says what would go out and asks; --yes answers it. --fenced-by TOKEN is for a
                                failover hook: it confirms a promoted standby if TOKEN is FAILOVER_TOKEN

DATABASE_URL selects the database, SITE_URL the site, DATA_DIR the folder with the record of what was sent.
`

const digestTexts = {
  planned: 'The digest is planned and sent now.',
  exists: 'This day has a digest already; it isn’t sent twice.',
  empty: 'Nothing is published on this day, so there is no digest.',
} as const

export const deliveries: Command = {
  usage,
  async run(args, readConfig, print) {
    const [command = '', argument, ...others] = args
    // Needs no database.
    if (command === 'check') return await check(args.slice(1), readConfig, print)
    const day = argument === undefined ? null : parseWireDate(argument)
    const run = command === 'digest' && day !== null ? digestOf(day) : commands.get(command)
    const isComplete = (command === 'digest' ? day !== null : argument === undefined) && others.length === 0
    const chosen =
      command === 'confirm-instance' ? confirmationOf(args.slice(1)) : isComplete ? run : undefined
    if (chosen === undefined) throw new ConfigurationError(usage)
    await withContext(readConfig(), 'deliveries', async (context) => {
      registerJobs(context)
      await context.start({ jobs: false, listening: false })
      print(`${await chosen(context)}\n`)
    })
  },
}

async function check(args: string[], readConfig: () => Config, print: Print): Promise<number> {
  const senders: string[] = []
  const dnsServers: string[] = []
  for (const [index, argument] of args.entries()) {
    if (args[index - 1] === '--dns') dnsServers.push(argument)
    else if (isIP(argument) !== 0) senders.push(argument)
    else if (argument !== '--dns') throw new ConfigurationError(usage)
  }
  if (!dnsServers.every(isServer) || args.at(-1) === '--dns') throw new ConfigurationError(usage)
  const dns = createDns(dnsServers)
  const { text, isComplete } = await checkDeliveries({ mail: readConfig().mail, senders, dns })
  print(text)
  return isComplete ? 0 : 1
}

/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353`. */
function isServer(text: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([\da-f:]+)\]|([\d.]+))(?::(\d{1,5}))?$/i.exec(text) ?? []
  return (
    isIP(text) !== 0 || (isIP(bracketed ?? plain ?? '') !== 0 && Number(port) > 0 && Number(port) < 65_536)
  )
}

type Run = (context: Context) => Promise<string>

const commands = new Map<string, Run>([
  ['summary', summary],
  ['hold', ({ deliveryOperations }) => deliveryOperations.hold().then(() => 'All sending is held.')],
  ['allow-codes', allowCodes],
  ['release', ({ deliveryOperations }) => deliveryOperations.release().then(() => 'Sending is released.')],
])

function digestOf(day: CalendarDate): Run {
  return async ({ deliveryOperations }) => digestTexts[await deliveryOperations.planDigest(day)]
}

/** `--yes` answers the question; `--fenced-by` takes the token of a failover hook. */
function confirmationOf(args: string[]): Run {
  const options = { yes: { type: 'boolean' }, 'fenced-by': { type: 'string' } } as const
  const { values, positionals } = parseOptions(args, options, usage)
  if (positionals.length > 0) throw new ConfigurationError(usage)
  return (context) =>
    confirmInstance(context, { isConfirmed: values.yes === true, fencedBy: values['fenced-by'], ask })
}

async function ask(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

async function allowCodes({ smsLimits }: Context): Promise<string> {
  return (await smsLimits.allowCodes())
    ? 'New accounts get codes by text again.'
    : 'Codes to new accounts are not stopped.'
}

async function summary({ deliveryOperations, smsLimits }: Context): Promise<string> {
  const { hold, workers, runs } = await deliveryOperations.summary()
  const lines = runs.flatMap(({ name, state, heldReason, counts, waiting }) => [
    `${name}  ${state}${heldReason === null ? '' : ` (${heldReason})`}: ${counts}`,
    ...waiting.map(({ transport, reason, message }) => `  ${transport} waits, ${reason}: ${message}`),
  ])
  const held = workers.flatMap(({ process, heldReason }) =>
    heldReason !== null && isHoldReason(heldReason)
      ? [`The worker ${process} sends nothing. ${remedyOf(heldReason)}`]
      : [],
  )
  const head = hold === null ? 'Sending is on.' : remedyOf(hold)
  const until = await smsLimits.stoppedUntil()
  return [
    head,
    ...held,
    ...(until === null ? [] : [`Codes to new accounts are stopped until ${until.toISOString()}.`]),
    ...(lines.length > 0 ? lines : ['Nothing was planned in the last three days.']),
  ].join('\n')
}

function remedyOf(reason: HoldReason): string {
  if (reason === 'held') return "All sending is held: 'deliveries release' releases it."
  const { text, command } = holdReasons[reason]
  return command === null ? text : `${text} Nothing is sent until '${command}'.`
}

if (import.meta.main) await startCommand(deliveries)
