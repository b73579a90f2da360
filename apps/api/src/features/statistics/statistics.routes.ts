import { getStatistics } from '@tidings/contracts/desk/statistics'
import { registerDesk, replyWith } from '#features/desk/index.ts'
import type { App } from '#http/app-type.ts'
import type { StatisticsService } from './statistics.service.ts'

export function registerStatistics(app: App, { statistics }: { statistics: StatisticsService }): void {
  registerDesk(app, getStatistics, async ({ query }) => replyWith(await statistics.read(query)))
}
