import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { CalendarDate } from '@tidings/contracts/edition-key'
import { readConfig } from '#config/config.ts'
import { processSettings } from '#config/env.ts'
import { createContext } from '#context.ts'
import { dateInZone } from '#features/editions/index.ts'
import { registerJobs } from '#jobs.ts'
import { locationsFrom } from '#locations.ts'
import { failToStart } from '#process-lifetime.ts'
import { seedArticleOnce } from './articles.ts'
import {
  seedArticles,
  seedDays,
  seedMembers,
  seedPerson,
  seedSecureContents,
  todaySets,
  yearlyArticle,
  yearlyGroup,
} from './content/index.ts'
import type { SeedEdition } from './content/types.ts'
import { createDrawings } from './drawings.ts'
import { seedEditionOnce } from './editions.ts'
import { seedMemberOnce } from './members.ts'
import { seedGroupOnce, seedSecureContentOnce } from './secure-content.ts'
import { configureSiteApp } from './site-app.ts'

/**
 * Adds the content of a new site: its app, editions of past days and of today, gated articles, a content group, secure
 * content and members. It changes no existing content, so it may run at every start.
 */
async function main(): Promise<void> {
  const mainFile = new URL('../src/main.ts', import.meta.url).href
  const config = { ...readConfig(processSettings(), locationsFrom(mainFile)), logLevel: 'warn' as const }
  const context = createContext(config, 'seed')
  const drawings = createDrawings(context, pictureWidthPx())
  let added = 0
  try {
    registerJobs(context)
    await context.start({ jobs: false, listening: false })
    await context.ensureSiteApp()
    await configureSiteApp(context, config.site.name)
    for (const day of seedDays) {
      for (const edition of day.editions) {
        added += await seedEditionOnce(context, drawings, parseIsoDate(day.date), edition)
      }
    }
    for (const today of todaysDates(context.clock.now(), config.site.timeZone)) {
      for (const edition of setOf(today)) added += await seedEditionOnce(context, drawings, today, edition)
    }
    added += await seedGroupOnce(context, yearlyGroup)
    for (const article of seedArticles) {
      const groupKey = article === yearlyArticle ? yearlyGroup.key : null
      added += await seedArticleOnce(context, drawings, article, groupKey)
    }
    for (const secureContent of seedSecureContents) {
      added += await seedSecureContentOnce(context, secureContent)
    }
    for (const member of seedMembers) added += await seedMemberOnce(context, member)
    added += await context.people.seed(seedPerson)
    process.stdout.write(added === 0 ? 'All seeded content exists\n' : `Added ${added} pieces of content\n`)
  } finally {
    await context.close()
  }
}

/** Returns the value of `--picture-width`: narrower pictures are encoded faster. */
function pictureWidthPx(): number {
  const { values } = parseArgs({ options: { 'picture-width': { type: 'string', default: '1600' } } })
  return Number(values['picture-width'])
}

/** Returns the site's date and the machine's, because readers use their own clock and editions the site's. */
function todaysDates(now: Date, timeZone: string): CalendarDate[] {
  const site = dateInZone(now, timeZone)
  const machine = { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() }
  const isSame = site.year === machine.year && site.month === machine.month && site.day === machine.day
  return isSame ? [site] : [site, machine]
}

/** Returns the editions of a day. The sets alternate. */
function setOf({ year, month, day }: CalendarDate): readonly SeedEdition[] {
  const dayNumber = Date.UTC(year, month - 1, day) / 86_400_000
  return todaySets[dayNumber % todaySets.length] ?? []
}

function parseIsoDate(text: string): CalendarDate {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch(failToStart)
}
