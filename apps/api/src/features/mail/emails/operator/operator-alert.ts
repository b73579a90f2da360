import { defineEmail, text } from '#features/mail/layout/define-email.ts'
import { type AlertKind, alertKinds } from '#platform/alert-kinds.ts'
import { alertData, alertFacts, alertTexts, howToStop, sampleAlert, unexpectedAlert } from '../alert-texts.ts'

const sampleFacts: Record<AlertKind, Record<string, string>> = {
  'edition-held': sampleAlert.facts,
  'sending-held': {
    Reason: 'This database was restored from a dump.',
    Command: 'tidings deliveries confirm-instance',
  },
  'deliveries-unconfirmed': { Unconfirmed: '12' },
  'refunds-waiting': { Failed: '1', 'To make by hand': '2' },
  'dead-job': { Jobs: 'mail.send-email (3)' },
  'disk-low': { Free: '3.1 GB of 80 GB' },
  'backup-old': { 'Last backup': '2026-11-25T02:00:00.000Z' },
  'domain-refusing': { Domains: '2', Refusals: '412' },
}

/** Goes to OPERATOR_EMAIL about a problem that lasts. Names no member. */
export const operatorAlert = defineEmail({
  kind: 'operator-alert',
  group: 'operator',
  data: alertData,
  content(data, site) {
    const { title, meaning, action } = alertTexts[data.alert]
    return {
      subject: `${site.appName}: ${title}`,
      preview: meaning,
      title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`,
      body: [text(meaning), alertFacts(data, site), text(action), howToStop(data)],
      unexpected: unexpectedAlert,
    }
  },
  samples: Object.fromEntries(
    alertKinds.map((alert) => [alert, { ...sampleAlert, alert, facts: sampleFacts[alert] }]),
  ),
})
