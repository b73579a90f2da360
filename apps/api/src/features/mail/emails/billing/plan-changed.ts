import { z } from 'zod'
import { button, defineEmail, facts, text } from '#features/mail/layout/define-email.ts'
import { name, price, priceFacts, samplePlanChange } from '../fields.ts'

export const planChanged = defineEmail({
  kind: 'plan-changed',
  group: 'billing',
  /** A scheduled change starts at the end of the paid period, so there is no unused time to credit. */
  data: { fromPlanName: name, toPlanName: name, ...price, wasScheduled: z.boolean().default(false) },
  content: (data, site) => ({
    subject: `Your ${site.appName} plan was changed`,
    preview: 'Your new plan and what it costs.',
    title: 'Your plan was changed',
    body: [
      text(
        data.wasScheduled
          ? 'The change you scheduled is now in effect.'
          : 'Your new plan is active now. We credited the unused time on your old one.',
      ),
      facts({ 'Old plan': data.fromPlanName, 'New plan': data.toPlanName, ...priceFacts(data, site) }),
      button('Open my account', site.pages.account),
    ],
    unexpected: 'Didn’t change your plan? Write to us and we’ll put it right.',
  }),
  samples: {
    'at once': { ...samplePlanChange, charged: 4500 },
    scheduled: { ...samplePlanChange, nextBillingDate: null, wasScheduled: true },
  },
})
