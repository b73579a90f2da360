import { createProgress } from '@tidings/launcher/progress'
import type { Site } from '@tidings/launcher/site'
import { type Databases, startDatabases } from './data/databases.ts'
import { describeMachine } from './machine.ts'
import type { MeasureName } from './measure-names.ts'
import {
  measureDeliveryMemory,
  measureDeliveryPlanning,
  measureDeliveryReads,
  measureDeliverySending,
  measureDeliverySms,
} from './measures/delivery/delivery.ts'
import { measureDeliveryExim } from './measures/delivery-exim.ts'
import { measureDeliveryFaults } from './measures/delivery-faults.ts'
import { measureAutosave } from './measures/desk/autosave.ts'
import { measureDeskChecks } from './measures/desk/desk-checks.ts'
import { measureDeskScreens } from './measures/desk/desk-screens.ts'
import { measureDeskTyping } from './measures/desk/desk-typing.ts'
import { measureEdition } from './measures/edition.ts'
import { measureFirstVisit } from './measures/first-visit.ts'
import { measureLighthouse } from './measures/lighthouse.ts'
import { measureLiveFeed } from './measures/live-feed/live-feed.ts'
import { measureLogin } from './measures/login.ts'
import { measureMember } from './measures/member.ts'
import { measureNotify } from './measures/notify/notify.ts'
import { measureBackup } from './measures/operation/backup.ts'
import { measureOutage } from './measures/operation/outage.ts'
import { measurePayments } from './measures/payments.ts'
import { measurePaymentsAudit } from './measures/payments-audit.ts'
import { measurePaymentsYear } from './measures/payments-year.ts'
import { measurePdf } from './measures/pdf.ts'
import { measurePictures } from './measures/pictures/pictures.ts'
import { measureUploads } from './measures/pictures/uploads.ts'
import { measureRollingRestart } from './measures/rolling/rolling-restart.ts'
import { measureUpgrade } from './measures/rolling/upgrade.ts'
import { measureDeliveryScale } from './measures/scale/delivery-scale.ts'
import { measureMembersScale } from './measures/scale/members-scale.ts'
import { measurePaymentsScale } from './measures/scale/payments-scale.ts'
import { measureScale } from './measures/scale/scale.ts'
import { measureSearch } from './measures/search.ts'
import { measureSessionEnd } from './measures/session-end.ts'
import { measureSlowVisit } from './measures/slow-visit.ts'
import { measureLoginBusy, measureLoginFlood } from './measures/waiting-logins.ts'
import { measureWidget } from './measures/widget.ts'
import { parseOptions } from './options.ts'
import { createLifetime } from './programs/lifetime.ts'
import { formatRows, hasMissed, type Row } from './results/table.ts'
import type { Bench, Measure } from './sites/bench.ts'
import { requireBuild } from './sites/built.ts'
import { startWholeSite } from './sites/whole-site.ts'

const measures: Record<MeasureName, Measure> = {
  edition: measureEdition,
  'live-feed': measureLiveFeed,
  member: measureMember,
  login: measureLogin,
  'login-flood': measureLoginFlood,
  'login-busy': measureLoginBusy,
  'session-end': measureSessionEnd,
  notify: measureNotify,
  payments: measurePayments,
  'first-visit': measureFirstVisit,
  'slow-visit': measureSlowVisit,
  widget: measureWidget,
  lighthouse: measureLighthouse,
  scale: measureScale,
  search: measureSearch,
  'members-scale': measureMembersScale,
  'payments-scale': measurePaymentsScale,
  'payments-year': measurePaymentsYear,
  'payments-audit': measurePaymentsAudit,
  'delivery-planning': measureDeliveryPlanning,
  'delivery-sending': measureDeliverySending,
  'delivery-sms': measureDeliverySms,
  'delivery-reads': measureDeliveryReads,
  'delivery-memory': measureDeliveryMemory,
  'delivery-scale': measureDeliveryScale,
  'delivery-faults': measureDeliveryFaults,
  'delivery-exim': measureDeliveryExim,
  pdf: measurePdf,
  'desk-checks': measureDeskChecks,
  autosave: measureAutosave,
  'desk-typing': measureDeskTyping,
  'desk-screens': measureDeskScreens,
  pictures: measurePictures,
  uploads: measureUploads,
  'rolling-restart': measureRollingRestart,
  upgrade: measureUpgrade,
  outage: measureOutage,
  backup: measureBackup,
}

const lifetime = createLifetime()
const progress = createProgress()
let interrupted = false

/** Runs the measures of the command line and prints one table. Exits with 1 after a missed target or a failure. */
async function main() {
  const { names, quick } = parseOptions(process.argv.slice(2))
  requireBuild()
  let databases: Promise<Databases> | undefined
  let site: Promise<Site> | undefined
  const bench: Bench = {
    quick,
    progress,
    lifetime,
    databases() {
      databases ??= startDatabases(lifetime, progress)
      return databases
    },
    site() {
      site ??= startWholeSite(lifetime, progress)
      return site
    },
  }
  const rows: Row[] = []
  for (const name of names) {
    progress.say(`\n${name}`)
    try {
      rows.push(...(await measures[name](bench)))
    } catch (error) {
      if (interrupted) return
      const reason = error instanceof Error ? error.message : String(error)
      progress.say(`✗ ${name} could not be measured: ${reason}`)
      rows.push({ measure: name, figure: 'not measured', passed: false })
    }
  }
  progress.say(`\n${formatRows(rows)}\n\n${describeMachine()}`)
  if (quick) progress.say('Few and short runs: not for quoting.')
  if (hasMissed(rows)) process.exitCode = 1
}

/** Resolves on a signal. The running measure then fails, which can be ignored. */
function interruption(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      process.on('uncaughtException', () => {})
      console.error('\nEnding what was started.')
      interrupted = true
      process.exitCode = 130
      resolve()
    })
  }
  return promise
}

try {
  await Promise.race([main(), interruption()])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
const { exitCode } = process
for (const failure of await lifetime.end()) console.error('Could not be ended:', failure)
process.exit(exitCode)
