import { ConfigurationError } from '../config/env.ts'
import type { Context } from '../context.ts'
import { holdReasons } from '../platform/sending-guard/hold-reasons.ts'
import { equalInConstantTime } from '../platform/signing.ts'

type Unconfirmed = Awaited<ReturnType<Context['deliveryOperations']['findUnconfirmed']>>
type Confirmation = Awaited<ReturnType<Context['deliveryOperations']['confirmInstance']>>

type ConfirmOptions = {
  isConfirmed: boolean
  /** The token of a failover hook. */
  fencedBy: string | undefined
  /** Returns whether a person agrees; null without a terminal. */
  ask(question: string): Promise<boolean | null>
}

/** Lets a database send that was restored, copied or promoted, once a person or a failover hook has confirmed it. */
export async function confirmInstance(
  context: Context,
  { isConfirmed, fencedBy, ask }: ConfirmOptions,
): Promise<string> {
  if (fencedBy !== undefined) return await confirmFailover(context, fencedBy)
  const { deliveryOperations } = context
  const found = await deliveryOperations.findUnconfirmed()
  const needsPerson = found.hold !== null && found.hold !== 'held'
  if (needsPerson && !isConfirmed) {
    const question = describeUnconfirmed(found)
    const answer = await ask(question)
    if (answer === null)
      throw new ConfigurationError(`${question}\nNothing was done. Without a terminal, confirm with --yes.`)
    if (!answer) throw new ConfigurationError('Nothing was done. This database still sends nothing.')
  }
  return describeConfirmation(await deliveryOperations.confirmInstance())
}

async function confirmFailover({ config, deliveryOperations }: Context, token: string): Promise<string> {
  const { failoverToken } = config.delivery
  if (failoverToken === undefined)
    throw new ConfigurationError('FAILOVER_TOKEN is not set, so that only a person can confirm.')
  if (!equalInConstantTime(token, failoverToken))
    throw new ConfigurationError('The token is not the one in FAILOVER_TOKEN. Nothing was confirmed.')
  const { confirmation, hold } = await deliveryOperations.confirmFailover()
  if (confirmation !== null) return describeConfirmation(confirmation)
  if (hold === null) return 'This database sends already.'
  const { text, command } = holdReasons[hold]
  const then = hold === 'held' || command === null ? '' : ` A person must run '${command}'.`
  throw new ConfigurationError(`${text} A failover hook doesn't confirm that.${then}`)
}

/** Says why nothing is sent, what would go out and since when, and asks. */
function describeUnconfirmed({ hold, outgoing }: Unconfirmed): string {
  const lines = outgoing.map(
    ({ what, count, since }) => `  ${count} × ${what}, the oldest of ${since.toISOString().slice(0, 16)}Z`,
  )
  return [
    hold === null ? '' : holdReasons[hold].text,
    ...(lines.length > 0
      ? ['Once it is confirmed, these go out:', ...lines]
      : ['Nothing waits to go out; from now on, it would send.']),
    'Editions that a worker recorded as sent, and late ones, are not sent. Other emails and texts that went out after a backup was made may go out again.',
    'Confirm only if no other copy of this database sends. Let this one send?',
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function describeConfirmation({ settled, heldRuns, unreported, waiting }: Confirmation): string {
  return [
    'This database sends from now on.',
    ...(settled > 0
      ? [`${settled} restored deliveries had been sent already. They are recorded, and not sent again.`]
      : []),
    ...(heldRuns > 0
      ? [
          `${heldRuns} editions or digests are held, because these workers may have sent a part of them: ${unreported.join(', ')}. Start the workers, so that they report; then resume these at the desk.`,
        ]
      : []),
    ...waiting.map((worker) => `The worker ${worker} still waits: run this command with its DATA_DIR, too.`),
  ].join('\n')
}
