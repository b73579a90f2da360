import type { Context } from './context.ts'
import { closeAccount, deletionSweep } from './features/account-deletion/index.ts'
import { checkAlerts } from './features/alerts/index.ts'
import { sendCode } from './features/auth/index.ts'
import {
  billingSweep,
  reconcilePlans,
  restoreSchedule,
  sendRenewalNotices,
  syncCustomer,
  syncDispute,
  syncEmail,
  syncRefund,
} from './features/billing/index.ts'
import {
  confirmProgram,
  deliverCorrection,
  deliverPushes,
  deliverRun,
  deliverSms,
  deliverySweep,
} from './features/delivery/index.ts'
import { editionDue, publishingSweep } from './features/editions/index.ts'
import { announceEdition, announceMemo } from './features/live-feed/index.ts'
import { checkMailServers, sendEmail } from './features/mail/index.ts'
import { removePictures } from './features/media/index.ts'
import { cleanUp } from './features/ops/index.ts'
import { sendInvitation, sendSignInLink } from './features/people/index.ts'
import { checkLinks } from './features/readiness/index.ts'
import { reindexTexts } from './features/search/index.ts'
import { countMembers } from './features/statistics/index.ts'
import type { Job, Schedule } from './platform/jobs/jobs.ts'

/** Registers every job with its trigger. Handlers are in each feature's `x.jobs.ts`. Call before `context.start`. */
export function registerJobs(context: Context): void {
  const handle = <T extends object>(job: Job<T, Context>, schedule?: Schedule) =>
    context.jobs.handle(
      job,
      async (payload) => {
        if (job.sends !== undefined) await context.sendingGuard.assertOpen()
        return await job.run(payload, context)
      },
      schedule,
    )

  // At a scheduled edition's time; the sweep publishes those whose job was lost.
  handle(editionDue)
  handle(publishingSweep, { cron: '* * * * *' })
  // When an edition is published.
  handle(announceEdition)
  // When a memo is added to a published edition.
  handle(announceMemo)

  // After the delay of an edition that was planned with its publication.
  handle(deliverRun)
  handle(deliverSms)
  handle(deliverPushes)
  // When an editor tells members about a correction.
  handle(deliverCorrection)
  // When a number is verified.
  handle(confirmProgram)
  handle(deliverySweep, { cron: '* * * * *' })

  // When an editor asks whether an edition is ready.
  handle(checkLinks)

  // When a process starts with another language of the site.
  handle(reindexTexts)

  // When a one-time code is requested.
  handle(sendCode)
  // When a change adds an email to the outbox.
  handle(sendEmail)
  // When an owner or a command invites someone to the desk, and when a link to sign in is requested.
  handle(sendInvitation)
  handle(sendSignInLink)
  handle(checkMailServers, { cron: '41 * * * *' })

  // When Stripe sends an event, and after a checkout or a plan change.
  handle(syncCustomer)
  // When Stripe sends an event about a dispute or a refund.
  handle(syncDispute)
  handle(syncRefund)
  // Minutes after an upgrade that drops a scheduled change.
  handle(restoreSchedule)
  // When a member's address changes.
  handle(syncEmail)
  handle(billingSweep, { cron: '*/5 * * * *' })
  handle(reconcilePlans, { cron: '23 3 * * *' })
  // After the nightly comparison, in the daytime of most sites.
  handle(sendRenewalNotices, { cron: '37 17 * * *' })

  // When a member with a payment customer deletes the account.
  handle(closeAccount)
  handle(deletionSweep, { cron: '*/5 * * * *' })

  // Past the guard: they say that sending is held.
  handle(checkAlerts, { cron: '* * * * *' })
  handle(cleanUp, { cron: '17 * * * *' })
  handle(countMembers, { cron: '51 * * * *' })
  handle(removePictures, { cron: '47 3 * * *' })
}
