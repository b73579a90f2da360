import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { instant, name, price, sampleInstant, samplePlanChange } from '../fields.ts'

export const planChangeScheduled = defineEmail({
  kind: 'plan-change-scheduled',
  group: 'billing',
  data: { fromPlanName: name, toPlanName: name, ...price, at: instant },
  content(data, { appName, pages, formatBillingDay, formatPrice }) {
    const day = formatBillingDay(data.at)
    return {
      subject: `Your ${appName} plan changes on ${day}`,
      preview: 'Nothing changes until then.',
      title: 'Your plan will change',
      body: [
        text('Nothing changes until your new plan starts. You can undo the change until then.'),
        facts({
          'Current plan': data.fromPlanName,
          'New plan': data.toPlanName,
          'Starts on': day,
          Price: formatPrice(data),
        }),
        button('Review the change', pages.changePlan),
      ],
      unexpected: 'Didn’t change your plan? Write to us and we’ll put it right.',
    }
  },
  samples: { yearly: { ...samplePlanChange, at: sampleInstant } },
})
