import { z } from 'zod'
import { type AlertKind, alertKinds } from '#platform/alert-kinds.ts'
import { facts, text } from '../layout/define-email.ts'
import type { EmailSite } from '../layout/email-site.ts'

type AlertText = {
  title: string
  /** The consequence for readers and members. */
  meaning: string
  /** The next step of the operator. A command is named in full. */
  action: string
  resolved: string
}

/** The kinds of alerts, as the emails describe them. */
export const alertTexts: Readonly<Record<AlertKind, AlertText>> = {
  'edition-held': {
    title: 'an edition is held or late',
    meaning: 'Readers don’t get it until someone acts.',
    action:
      'An editor publishes or resumes it at the desk. “tidings deliveries summary” shows what is waiting.',
    resolved: 'No edition is held or late any more.',
  },
  'sending-held': {
    title: 'sending is held',
    meaning: 'What should go out waits. Nothing is lost, however long it takes.',
    action:
      'Run the command if this is the site that should send. It says what would go out, and asks. Don’t run it on a copy.',
    resolved: 'Sending is no longer held. What waited is being sent.',
  },
  'deliveries-unconfirmed': {
    title: 'deliveries are unconfirmed',
    meaning: 'The mail server or Twilio may have accepted them, but the reply was lost.',
    action:
      'Compare GET /desk/v1/deliveries?state=unconfirmed with the log of the mail server, and resolve each as sent or send-again. “tidings deliveries summary” shows the edition.',
    resolved: 'No delivery is unconfirmed any more.',
  },
  'refunds-waiting': {
    title: 'refunds need you',
    meaning: 'Members were charged too much and don’t have their money back.',
    action:
      'Run “tidings payments report”, search for each payment in Stripe’s dashboard, and refund it there.',
    resolved: 'No refund waits for you any more.',
  },
  'dead-job': {
    title: 'a job has failed for good',
    meaning: 'Its last attempt failed, and it isn’t tried again.',
    action: 'Search the worker’s log for “job failed”: it has the reason. Then run “tidings doctor”.',
    resolved: 'No job has failed for good within the last hour.',
  },
  'disk-low': {
    title: 'the disk is almost full',
    meaning: 'When it is full, uploads and PDFs fail, and sending stops.',
    action: 'Free space on the disk of DATA_DIR, or enlarge it. “tidings doctor” shows what is left.',
    resolved: 'The disk has space again.',
  },
  'backup-old': {
    title: 'there is no backup of the last day',
    meaning: 'If the database is lost now, everything since the last backup is lost.',
    action: 'Run “tidings backup”, and check the timer that should run it.',
    resolved: 'There is a backup of the last day again.',
  },
  'domain-refusing': {
    title: 'a receiving domain refuses us',
    meaning: 'Its members don’t get their editions by email. They are tried again for hours, then fail.',
    action:
      'Run “tidings deliveries check” and do what it says. The desk’s report names the domains and their replies.',
    resolved: 'No receiving domain refuses us any more.',
  },
}

/** The data of both emails about an alert. `facts` name no member. */
export const alertData = {
  alert: z.enum(alertKinds),
  since: z.iso.datetime().transform((instant) => new Date(instant)),
  facts: z.record(z.string(), z.string()),
  /** The host name and database that report it: a copy of a site is recognized by them. */
  site: z.string(),
  database: z.string(),
}

type Alert = z.output<z.ZodObject<typeof alertData>>

/** Returns the facts of an alert, with the site that reports it. */
export function alertFacts(alert: Alert, { formatInstant }: EmailSite) {
  return facts({
    Since: formatInstant(alert.since),
    ...alert.facts,
    Site: alert.site,
    Database: alert.database,
  })
}

/** Says how often these emails come, and how to stop them. */
export function howToStop({ alert }: Pick<Alert, 'alert'>) {
  return text(
    `You get at most one email about this an hour while it lasts, and one when it is over. To stop them, add ${alert} to OPERATOR_EMAIL_EXCEPT. Without OPERATOR_EMAIL there are no such emails.`,
  )
}

export const unexpectedAlert =
  'Didn’t expect this? If it’s a copy of your site, or not yours, have your address removed from OPERATOR_EMAIL in its settings.'

export const sampleAlert = {
  alert: 'edition-held',
  since: '2026-11-27T09:15:00.000Z',
  facts: { Held: '1', Late: '0', 'Deliveries held': '0' },
  site: 'news.example.com',
  database: 'db.example.com/tidings',
} as const
