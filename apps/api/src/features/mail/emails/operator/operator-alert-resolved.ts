import { defineEmail, text } from '#features/mail/layout/define-email.ts'
import { alertData, alertFacts, alertTexts, howToStop, sampleAlert, unexpectedAlert } from '../alert-texts.ts'

/** Goes to OPERATOR_EMAIL once when a problem is over. */
export const operatorAlertResolved = defineEmail({
  kind: 'operator-alert-resolved',
  group: 'operator',
  data: alertData,
  content(data, site) {
    const { title, resolved } = alertTexts[data.alert]
    return {
      subject: `${site.appName}: over: ${title}`,
      preview: resolved,
      title: resolved,
      body: [text('There is nothing to do.'), alertFacts(data, site), howToStop(data)],
      unexpected: unexpectedAlert,
    }
  },
  samples: { resolved: { ...sampleAlert, facts: {} } },
})
