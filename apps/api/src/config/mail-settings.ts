import { z } from 'zod'
import { count, optionalText, optionalUrl, setting, text } from './setting.ts'
import { networkList } from './setting-formats.ts'

const smtp = /^smtps?$/

/** The settings of emails, those to many members included. */
export const mailSettings = z.object({
  smtpUrl: optionalUrl('SMTP_URL', smtp).describe(
    'The mail server: smtp://user:password@host:587 or smtps://user:password@host:465. `start` uses its own inbox. Without a server, emails wait and expire.',
  ),
  from: optionalText('MAIL_FROM').describe(
    'The sender of emails. Default: SITE_NAME and CONTACT_EMAIL, as in "Tidings <hello@tidings.example>".',
  ),
  bulkSmtpUrl: optionalUrl('BULK_SMTP_URL', smtp).describe('The mail server of editions. Default: SMTP_URL.'),
  bulkConnections: count('BULK_SMTP_CONNECTIONS', 5, [1, 100]).describe(
    'How many connections each worker opens to it, and how many messages it sends each second; 0 for no limit.',
  ),
  bulkPerSecond: count('BULK_SMTP_PER_SECOND', 0, [0, 10_000]),
  dkimDomain: text('DKIM_DOMAIN', '').describe(
    'Signs every email with DKIM: the domain of MAIL_FROM or one above it, the selector whose DNS record has the public key, and the private key in PEM on one line with \\n for line ends. `tidings deliveries check` prints the record to publish. Empty: the mail server signs.',
  ),
  dkimSelector: text('DKIM_SELECTOR', ''),
  dkimPrivateKey: text('DKIM_PRIVATE_KEY', ''),
  bounceDomain: setting(
    'BOUNCE_DOMAIN',
    '',
    z.string().regex(/^([a-z\d-]+\.)*[a-z\d-]*$/i, 'must be a domain'),
  ).describe(
    'A domain whose MX record leads to BOUNCE_SMTP_PORT of a worker. Each edition then has a return address of its own there, so that bounces are recorded. Register complaints@ this domain with the feedback loops of mailbox providers, so that complaints are recorded too. Empty: bounces go to MAIL_FROM.',
  ),
  bounceSmtpPort: count('BOUNCE_SMTP_PORT', 0, [0, 65_535]).describe(
    'The port on which a worker receives bounces; 0 for none. Mail servers use port 25, which a firewall can forward. Of several workers on one machine, the first has it; the others only send.',
  ),
  bounceRelays: setting('BOUNCE_RELAYS', '', networkList).describe(
    'Addresses or networks, separated by commas, of own mail servers that pass bounces on to BOUNCE_SMTP_PORT. The limits of one address do not apply to them.',
  ),
  bounceLimit: count('BOUNCE_LIMIT', 1, [1, 100]).describe(
    'After how many refusals of an address that does not exist no more editions are sent to it. A full mailbox ends them after refusals on three days, a spam complaint at once.',
  ),
  webhookSecret: setting(
    'MAIL_WEBHOOK_SECRET',
    '',
    z
      .string()
      .regex(
        /^(|(whsec_)?([A-Za-z\d+/]{4}){4,}([A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?)$/,
        'must be whsec_ and Base64 of at least 12 bytes',
      ),
  ).describe(
    'The secret with which a mail service signs its events for SITE_URL/webhooks/mail/events (Standard Webhooks): whsec_ and Base64. Empty: events are refused.',
  ),
})
