import type { Config } from '../config/config.ts'
import { createDns } from '../context/adapters.ts'
import type { Context } from '../context.ts'
import type { DnsLookup } from '../integrations/dns/dns-lookup.ts'
import { checkDeliveries } from './dns-records/check-deliveries.ts'
import { type Check, type Finding, failed, messageOf, ok, skipped } from './doctor/check.ts'
import { checkPayments } from './payments-check/check-payments.ts'

type Services = Pick<Context, 'config' | 'smtpServers' | 'accountCheck'>

/** Returns the checks of the services of others. `dns` replaces the DNS servers of the machine. */
export function serviceChecks(
  { config, smtpServers, accountCheck }: Services,
  dns = createDns([]),
): readonly Check[] {
  return [
    { name: 'mail server', run: () => checkMailServers(smtpServers) },
    { name: 'dns records', run: () => checkRecords(config, dns) },
    { name: 'twilio', run: () => checkTwilio(config.sms) },
    { name: 'stripe', run: () => checkStripe(config, accountCheck) },
  ]
}

async function checkMailServers(servers: Services['smtpServers']): Promise<Finding> {
  if (servers.length === 0) return skipped('SMTP_URL is not set, so no emails are sent.')
  const lines: string[] = []
  for (const { name, logIn } of servers) {
    try {
      const { isEncrypted } = await logIn()
      lines.push(`${name} takes our emails${isEncrypted ? ' over TLS' : ', without TLS'}`)
    } catch (error) {
      return failed(
        `${name} doesn't take our emails: ${messageOf(error)}. Check SMTP_URL, its name and password, and the firewall.`,
      )
    }
  }
  return ok(lines.join('; '))
}

async function checkRecords({ mail }: Config, dns: DnsLookup): Promise<Finding> {
  if (mail.smtpUrl === null) return skipped('SMTP_URL is not set.')
  const { sections } = await checkDeliveries({ mail, senders: [], dns })
  const bad = sections.filter(({ findings }) =>
    findings.some(({ level }) => level === 'missing' || level === 'unknown'),
  )
  if (bad.length === 0) return ok(`${sections.length} records are right`)
  const titles = bad.map(({ title }) => title).join(', ')
  return failed(`Not right: ${titles}. Run 'tidings deliveries check', which shows what to publish.`)
}

async function checkTwilio({ account, apiUrl }: Config['sms']): Promise<Finding> {
  if (account === null) return skipped('TWILIO_ACCOUNT_SID is not set, so no texts are sent.')
  const { sid, authToken } = account
  const url = new URL(
    `/2010-04-01/Accounts/${sid}/Messages.json?PageSize=1`,
    apiUrl ?? 'https://api.twilio.com',
  )
  const authorization = `Basic ${Buffer.from(`${sid}:${authToken}`).toString('base64')}`
  try {
    const { status } = await fetch(url, { headers: { authorization }, signal: AbortSignal.timeout(8_000) })
    if (status === 200) return ok('Twilio accepts the account and its token')
    const isRefused = [401, 403, 404].includes(status)
    const remedy = isRefused ? 'Set TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN again.' : 'Try again later.'
    return failed(`Twilio returned ${status}. ${remedy}`)
  } catch (error) {
    // The message of `fetch` is always the same; its cause has the reason.
    const reason = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
    return failed(`Twilio can't be reached: ${reason}. Check the network and TWILIO_API_URL.`)
  }
}

async function checkStripe(config: Config, accountCheck: Services['accountCheck']): Promise<Finding> {
  if (config.payments.stripe === null) return skipped('STRIPE_SECRET_KEY is not set, so nothing is sold.')
  let account: Awaited<ReturnType<typeof accountCheck.read>>
  try {
    account = await accountCheck.read()
  } catch (error) {
    return failed(
      `The account at Stripe can't be read: ${messageOf(error)}. Check STRIPE_SECRET_KEY, its permissions and the network.`,
    )
  }
  const { sections, isComplete } = checkPayments(account, config)
  if (isComplete) return ok('The account, webhook and settings are right')
  const todos = sections.flatMap(({ findings }) => findings).filter(({ level }) => level === 'todo')
  return failed(
    `${todos.map(({ text }) => text).join(' ')} Run 'tidings payments check' until nothing must be done.`,
  )
}
