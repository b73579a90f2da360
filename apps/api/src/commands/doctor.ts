import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { serviceChecks } from './check-services.ts'
import { addExample, type CommandLine, type Result, textOf, withContext } from './command-line.ts'
import { backupCheck } from './doctor/backup-check.ts'
import { type CheckedFinding, runChecks } from './doctor/check.ts'
import { databaseChecks } from './doctor/database-checks.ts'
import { siteChecks } from './doctor/site-checks.ts'

const limitMs = 10_000
const marks = { ok: '✓', failed: '✗', skipped: '–' } as const

/** Defines the command that checks everything that the site depends on. It changes nothing. */
export function defineDoctor(doctor: CommandUnknownOpts, cli: CommandLine): void {
  doctor
    .description(
      'checks the settings, the database and everything that the site depends on, with the settings of this process. Says for each ✗ what to do, and changes nothing',
    )
    .action(() =>
      cli.run(async () => {
        const config = await cli.readConfig().catch((error: unknown) => textOf(error))
        if (typeof config === 'string') return report([{ name: 'settings', level: 'failed', text: config }])
        cli.showProgress('Checking')
        const findings = await withContext(config, 'doctor', (context) =>
          runChecks(
            [
              ...databaseChecks(config),
              backupCheck(context),
              ...siteChecks(config),
              ...serviceChecks(context),
            ],
            limitMs,
          ),
        )
        return report([{ name: 'settings', level: 'ok', text: 'valid' }, ...findings])
      }),
    )
  addExample(doctor, 'tidings doctor')
}

function report(checks: readonly CheckedFinding[]): Result {
  const count = checks.filter(({ level }) => level === 'failed').length
  const lines = checks.map(({ name, level, text }) => `${marks[level]} ${name}: ${text}`)
  const conclusion =
    count === 0 ? 'Nothing must be done.' : `${count} ${count === 1 ? 'thing' : 'things'} must be done.`
  return {
    json: { isComplete: count === 0, checks },
    text: `${[...lines, '', conclusion].join('\n')}\n`,
    isIncomplete: count > 0,
  }
}
